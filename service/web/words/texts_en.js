// The texts of the page in English, but for those of its documents, which stand there, and those of its parts. Games and reasons
// that a table leaves out are in the words of the service.

const soWins = (winner) => winner && `, so ${winner} wins`;

export const en = {
  language: "en",

  // The frame
  newGame: "New game",
  allGames: "All games",
  sidesTold: ({ player, level }) => `You are ${player}; the oracle plays ${level.toLowerCase()}.`,
  levels: { random: "Random", casual: "Casual", solid: "Solid", expert: "Expert", perfect: "Perfect" },
  copied: "Copied.",
  score: ({ own, other, drawn }) => `You ${own}, oracle ${other}, draws ${drawn}.`,

  // Players, moves and cells
  players: { first: "first", second: "second", Order: "Order", Chaos: "Chaos", odd: "odd", even: "even" },
  discs: { X: "Red", O: "Yellow" },
  choices: { drop: "Drop", pop: "Pop" },
  first: ({ player }) => `${player}, first`,
  second: ({ player }) => `${player}, second`,
  played: ({ player, move }) => `${player} played ${move}.`,
  column: ({ column }) => `column ${column}`,
  rowAndColumn: ({ row, column }) => `row ${row}, column ${column}`,
  fromTo: ({ from, to }) => `${from} to ${to}`,
  pop: ({ column }) => `pop ${column}`,

  // The board
  grid: ({ game, rows, columns }) => `${game}, ${rows} rows, ${columns} columns`,
  layer: ({ layer }) => `Layer ${layer}`,
  layerOf: ({ layer, layers }) => `Layer ${layer} of ${layers}`,
  board: ({ layer }) => `Board ${layer}`,
  boardOf: ({ layer, layers }) => `Board ${layer} of ${layers}`,
  crossedOut: "crossed out",
  columnValues: "Value of each column",
  columnWorth: ({ column, worth }) => `Column ${column}: ${worth}`,
  full: "full",
  unknown: "not known yet",
  empty: "empty",
  best: "best",
  vanishes: "vanishes next",
  canBeTaken: "can be taken",
  chosen: "chosen",
  waits: "waits for the oracle",
  better: "the better move",
  orderInLine: ({ order }) => `move ${order} of the best line`,
  couldComplete: ({ player }) => `${player} could complete a line here`,

  // How a game stands
  drawn: "A draw",
  toMove: ({ player }) => `${player} to move`,
  yourMove: ({ player }) => `Your move: ${player}`,
  thinking: () => "The oracle is thinking",
  waiting: () => "The oracle is waiting",
  inHand: ([x, o]) => `Still to place: X ${x}, O ${o}.`,
  choosePiece: "Choose the piece to take.",
  waitsForOracle: ({ move }) => `Next: ${move}. Press again to take it back.`,
  noReply: ({ player }) => `${player} to move: the service did not answer`,
  hasWon: ({ player }) => `${player} has won`,
  youHaveWon: ({ player }) => `You have won as ${player}`,
  oracleHasWon: ({ player }) => `The oracle has won as ${player}`,
  nobodyCompleted: "Nobody has completed a line.",
  inARow: ({ length }) => `${length} in a row`,
  completed: ({ player, line, winner }) => `${player} has completed ${line}${soWins(winner)}.`,
  killed: ({ player, winner }) => `${player} has completed a line on the last board${soWins(winner)}.`,
  bothCompleted: "Both players have completed a line.",
  fullBoard: ({ winner }) => `The board is full without a line${soWins(winner)}.`,
  trapped: ({ player, winner }) => `${player} has a piece in a corner between three others${soWins(winner)}.`,
  tooFew: ({ player, winner }) => `${player} has two pieces left${soWins(winner)}.`,
  stuck: ({ player, winner }) => `${player} cannot move${soWins(winner)}.`,
  boardsInARow: ({ winner }) => `Three boards in a row end the game${soWins(winner)}.`,
  boardsFinished: () => "All boards are finished, and nobody has three in a row.",
  mostBoards: ({ winner }) => `All boards are finished, and the number of boards decides${soWins(winner)}.`,
  gameOver: "The game is over.",

  // Analysis
  searching: "Searching",

  // Review
  nextMistake: "Next mistake",

  // Puzzles
  nextPuzzle: "Next puzzle",

  // Games and rules
  ownRules: "Your own rules",
  no: "no",
  noSuchRules: "There is no such game: a board has at most 64 cells, and a line must fit on it.",
  ownGame: ({ length, size, misere, gravity, wrap }) => [`${length} in a row on ${size}`, misere && "misère", gravity && "with gravity", wrap && "wrapped"].filter(Boolean).join(", "),
  ownLines: "Own lines",
  ownAbout: ({ length, misere }) => `The first with ${length ? `${length} in a row` : "a complete line"} ${misere ? "loses" : "wins"}.`,

  // Problems
  tryAgain: "Try again",
  dismiss: "Dismiss",
  wrongAnyhow: "Something went wrong",
  serviceGone: "The service is gone. Small games are answered here, and two people can play any.",
  serviceBack: "The service is back.",
  incomplete: "The answer is incomplete",
  closedEarly: "The connection closed too early.",
  partMissing: "A part of this page is missing",
  partHint: "It could not be loaded: the service may be gone, or newer than this page. Try again, or load the page anew.",
  unreachable: "The service cannot be reached",
  gameIsSafe: "The connection failed. Your game is safe on this page, and goes on when the service is back.",
  noAnswer: "The service did not answer",
  statusIs: ({ status }) => `The status is ${status}.`,
  noGame: "No such game",
  noGameInLink: ({ name }) => `The link names the game “${name}”, which is not in the catalogue.`,
  noGameByRules: "This is no game by the rules",
  notLegal: ({ ply, move }) => `Move ${ply}, ${move}, is not legal, so it was left out with all after it.`,
  drops: ({ drops }) => `A link with the columns as one string says drops=${drops}.`,

  // What the service says is English: here only the games that are there before any answer.
  games: {
    "tic-tac-toe": { name: "Tic-tac-toe", rules: "Players take turns to mark an empty cell; the first with three in a row wins." },
    "connect-four": { name: "Connect Four", rules: "Players take turns to drop a mark into one of 7 columns of 6 cells; the first with four in a row wins." },
    qubic: { name: "Qubic", rules: "Players take turns to mark an empty cell of a 4x4x4 cube; the first with four in a row wins." },
    "misere-tic-tac-toe": { name: "Misère tic-tac-toe", rules: "Players take turns to mark an empty cell; the first with three in a row loses." },
    "five-in-a-row-6x6": { name: "Five in a row on 6x6", rules: "Players take turns to mark an empty cell of a 6x6 board; the first with five in a row wins." },
  },
  families: {
    lines: { name: "Lines of your own", about: "The first to complete one of the lines that you write down wins." },
  },
  parameters: {
    cells: { about: "The number of cells, in a square or in one row." },
    lines: { about: "Cells counted from 0, with hyphens between them and commas between the lines." },
    misere: { name: "Misère", about: "Whether the player who completes a line loses." },
    wrap: {
      name: "Joined edges",
      about: "Lines continue at the other side of the board.",
      choices: { false: "None", true: "All", cylinder: "Left and right", moebius: "Left and right, upside down" },
    },
  },
  reasons: {},
  lines: {},
};
