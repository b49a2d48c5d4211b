"""Single positions quoted from the papers' own files, with what is published about them.

SOURCE: the position files of Primanita, Khalid and Iida 2020 (github 90sradiosong/ProbabilityPNS,
commit 1961d3a). Connect Four: id = line number from 0, X to move. Othello: 0-based line of
random_openings40, dark to move, under the authors' rule that a player who cannot move loses.
"""

CONNECT_FOUR = {
    0: "*******************O******XOX****XXOOOX*OX X",
    2: "******************O******X**X*OXOX*O*OOXX* X",
    8: "****************O*****XX*****OXO**O*XXOX*O X",
    11: "*******O******O******X***O**O*X*X**XOXXO** X",
    161: "**O******X******O******X*****XO****OXXO**X X",
}

# id: nodes, iterations, value (the 2020 paper's figure for id 8; the authors' program for all)
PN_CONNECT_FOUR = {
    0: (1_652_058, 278_230, "win"),
    2: (4_859_169, 904_794, "not-win"),
    8: (11_055, 1_638, "win"),
    11: (596, 92, "win"),
}

OTHELLO_40 = {
    40: "**1*0001*111111100101001**010000*0*00000**100100*111100010*11101 0",
    45: "1**0011*11000****010101110110101*0*110*0000010000000010*000*0011 0",
    49: "**11111**1*111*0*0010000**000100111110000*110000*011100*01111111 0",
    63: "0000001**1010000111010**1111110*1*111000**1110******1111***1**** 0",
    84: "**000011***01110**0000110*011011010111110100111*0*01111*0000*01* 0",
}

# line: iterations, nodes without the root, value
PN_OTHELLO = {
    40: (558, 2_474, "win"), 45: (2_197, 8_294, "not-win"), 49: (2_692, 10_361, "not-win"),
    63: (770, 5_517, "win"), 84: (666, 1_889, "not-win"),
}
