"""Connect(m,n,k,p,q): tic-tac-toe, Gomoku, Connect6 and their relatives."""
