// The texts in English of the parts of the page that are loaded when they are used.

import { counting } from "./numbers.js";

const { count, form } = counting("en", ",");
const plies = { one: "ply", other: "plies" };
const moves = { one: "move", other: "moves" };
const bound = (holds, isCapped, before) => (holds ? `${before}at least a draw` : isCapped ? `${before}at most a draw` : "");

export const parts = {
  decimal: ".",

  // The frame
  rematch: "Rematch",
  bestLine: "Best line",
  review: "Review",
  proven: "proven",
  estimate: "estimate",
  share: "Share",
  accuracy: ({ told }) => `Accuracy: ${told}.`,
  setUp: "Set up a position",

  // Players, moves and cells
  and: "and",
  or: "or",

  // Values
  wins: ({ number, distance }) => `${form(number, { one: "wins", other: "win" })}${distance && ` in ${distance}`}`,
  draws: ({ number }) => form(number, { one: "draws", other: "draw" }),
  loses: ({ number, distance }) => `${form(number, { one: "loses", other: "lose" })}${distance && ` in ${distance}`}`,
  distance: ({ least, most }) => `${least === most ? "" : `${least} to `}${count(most, moves)}`,
  distanceInPlies: ({ least, most }) => `${least === most ? "" : `${least} to `}${count(most, plies)}`,
  unproven: ({ holds, isCapped, estimate }) => `not proven${bound(holds, isCapped, ", ")}${estimate && `, estimate ${estimate}`}`,
  drawWithBestPlay: "A draw with best play",
  notProvenYet: ({ player, holds, isCapped, estimate }) => `Not proven yet${bound(holds, isCapped, `; ${player} has `)}${estimate && `; estimate for ${player} ${estimate}`}`,
  evaluation: ({ headline }) => `Evaluation: ${headline}`,
  evaluationHidden: "Evaluation: turn on the hints to see it",
  history: ({ player, values }) => `Value by ply, best for ${player} at the top: ${values}`,
  playerWins: ({ player, distance = "" }) => `${player} wins${distance && ` in ${distance}`}`,
  aDraw: "A draw",

  // Analysis
  movesSettled: "Moves settled",
  progress: ({ depth, nodes, settled, total, value }) => `Depth ${depth}, ${count(nodes, { one: "node", other: "nodes" })}; ${settled} of ${count(total, moves)} settled; ${value}.`,
  awaitingTable: "Waiting for the table of all positions, or for other searches.",
  stop: "Stop",
  stopped: "The search was stopped.",
  searchEnded: "The search ended before every value was proven. A bound such as ≥D is proven; a number from −1 (loss) to +1 (win) is an estimate.",
  searchLonger: "Search longer",
  more: ({ number }) => `${number} more`,
  morePlies: ({ number }) => `${count(number, plies)} more`,

  // Moves
  dropVariation: ({ move }) => `Delete the variation ${move}`,

  // Review
  reviewing: "Reviewing",
  reviewWait: "Searching the position before each move; a long game may take some seconds.",
  reviewReady: "The review is ready.",
  beforeFirst: "The board before the first move.",
  notReviewed: "This variation was not reviewed.",
  tryHere: "Try it from here",
  verdicts: { best: "best", only: "only move", onlyBest: "only best", slower: "slower", mistake: "mistake", unknown: "unknown" },
  judgements: { best: "best", only: "the only move", onlyBest: "the only best move", slower: "slower", mistake: "a mistake", unknown: "not known" },
  outcomes: { win: "win", draw: "draw", loss: "loss" },
  judged: ({ ply, player, move, verdict, given }) => `Ply ${ply}, ${player} ${move}: ${verdict}${given && ` (${given})`}.`,
  bestWas: ({ names }) => `Best was ${names}.`,
  noMove: "made no move.",
  onlyBest: "only best moves",
  bestOf: ({ best, total }) => `${best} of ${count(total, moves)} the best`,
  mistakes: ({ number }) => count(number, { one: "mistake", other: "mistakes" }),
  notAllJudged: "Not every move was judged.",
  noMistake: "Neither player made a mistake.",
  noMistakeFound: "No mistake was found.",
  turningPoint: "Turning point",
  learnMistakes: "Find the better moves yourself",
  findBetter: ({ player }) => `Find a better move for ${player}`,
  retry: ({ move }) => `${move} was a mistake. Which move is better?`,
  mistakesLeft: ({ number }) => (number ? `${count(number, { one: "mistake", other: "mistakes" })} to come.` : "This is the last one."),

  // Puzzles
  puzzleToMove: ({ player }) => `Puzzle: ${player} to move`,
  solved: "Solved",
  findWin: ({ distance }) => `Find the only move that wins, in ${distance}.`,
  findHold: () => "Find the only move that holds the draw.",
  right: "Right!",
  wrong: "Not this move; try another one.",
  goOn: "Find the next move.",
  streak: ({ number, hasSlipped }) => `Streak: ${number}${hasSlipped ? ", with a slip forgiven" : ""}.`,
  anyPuzzle: { game: "Any game", difficulty: "Any difficulty", theme: "Any theme" },
  puzzleChoice: { game: "Game of the puzzles", difficulty: "Difficulty of the puzzles", theme: "Theme of the puzzles" },
  noPuzzle: "No such puzzle was found",
  noPuzzleHint: "Few puzzles of this game are like that. Try again, or choose another difficulty or theme.",
  difficulties: { easy: "Easy", medium: "Medium", hard: "Hard" },
  themes: { fork: "double threat", block: "block", defence: "defence", quiet: "quiet move" },
  sharedPuzzle: ({ day, game, difficulty, isClean, streak }) => `Move Oracle, puzzle of ${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}: ${game}, ${difficulty.toLowerCase()}, solved ${isClean ? `at the first try (streak ${streak})` : "with help"}.`,

  // Games and rules
  catalogue: "Games",
  searchGames: "Search games",
  noneFound: "No game has these words.",
  close: "Close",
  kinds: { row: "In a row", discs: "Falling discs", space: "In space", joined: "Joined edges", other: "Other rules" },
  noValue: "How best play ends is not known.",
  valueDraw: "A draw with best play.",
  valueEndless: "Best play never ends.",
  valueWin: ({ player, distance }) => `${player} wins${distance && ` in ${distance}`}.`,
  family: "Kind of game",
  range: ({ least, most }) => `${least} to ${most}`,
  usual: ({ value }) => `${value} by default`,
  outOfRange: {
    integer: ({ minimum, maximum }) => `Give a whole number from ${minimum} to ${maximum}.`,
    lines: ({ maximum }) => `Give lines of cells below ${maximum}, such as 0-1-2, 0-4-8.`,
  },
  drawLines: "Or draw them: press the cells of a line, then add it.",
  addLine: "Add the line",
  playByRules: "Play by these rules",

  // The editor
  playerToMove: "Player to move",
  editHint: ({ marks }) => `Each press of a cell changes it: ${marks.join(", ")}, empty.`,
  clear: "Clear",
  usePosition: "Use this position",

  // Problems
  noColour: "Not a colour:",
  colourHint: ({ names }) => `${names}. Write three or six hexadecimal digits, such as 2b4f8c.`,
  noGameHere: ({ name }) => `“${name}” is not a game of this service.`,
};
