-- Posts the bodies of a file, one a line, over and over, and prints the counts as one line of JSON:
--   wrk -s loadtests/drive/wrk.lua http://127.0.0.1:8000/best-move -- bodies.txt [unseen]
-- With "unseen" no two requests have the same bytes, of this run or a later one: white space behind each body
-- counts them.

local SPACES = { [0] = " ", "\t", "\n", "\r" }
local DIGITS = 22
local PER_SECOND, PER_THREAD = 10000000, 5000000 -- runs begin in different seconds

local threads = 0
local bodies, sent, first = {}, 0, nil

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  for line in io.lines(args[1]) do
    bodies[#bodies + 1] = line
  end
  first = args[2] == "unseen" and os.time() % 1000000 * PER_SECOND + number * PER_THREAD
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
  local body = bodies[sent % #bodies + 1]
  if first then
    body = body .. in_white_space(first + sent)
  end
  sent = sent + 1
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %f, "p99_ms": %f, "refused": %d, "broken": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
