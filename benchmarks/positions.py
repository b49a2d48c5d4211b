"""The papers' positions that the benchmark uses (Primanita, Khalid and Iida 2020; X to move)."""

CONNECT_FOUR = {
    0: "*******************O******XOX****XXOOOX*OX X",
    2: "******************O******X**X*OXOX*O*OOXX* X",
}
