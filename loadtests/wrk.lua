-- Posts the bodies of a file, one a line, over and over, and prints what came of it as one line of JSON:
--   wrk -s loadtests/wrk.lua http://127.0.0.1:8000/best-move -- bodies.txt [unseen|get]
-- With "unseen" no two requests of a run are alike to the byte: the white space behind each body counts them.
-- With "get" the lines are not bodies but what is asked for by GET, such as /best-move?board=X...O....

local SPACES = { [0] = " ", "\t", "\n", "\r" }
local DIGITS = 16
local THREAD_APART = 1000000000

local threads = 0
local bodies, turn, count_from, by_get = {}, 0, nil, false

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  for line in io.lines(args[1]) do
    bodies[#bodies + 1] = line
  end
  count_from = args[2] == "unseen" and number * THREAD_APART
  by_get = args[2] == "get"
  turn = by_get and number * math.floor(#bodies / 2) or 0 -- or the two threads would ask for the same at the same time
end

local function in_white_space(value)
  local text = {}
  for digit = 1, DIGITS do
    text[digit] = SPACES[value % 4]
    value = math.floor(value / 4)
  end
  return table.concat(text)
end

function request()
  local body = bodies[turn % #bodies + 1]
  if count_from then
    body = body .. in_white_space(count_from + turn)
  end
  turn = turn + 1
  if by_get then
    return wrk.format("GET", body)
  end
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %f, "p50_ms": %f, "p99_ms": %f, "refused": %d, "broken": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
