// Loaded first into a process of `killing.mjs`. It ends it (SIGKILL) at its n-th write to a file that is kept: before, in the
// middle of it, or after it. What goes wrong between two writes is met here, where a kill by the clock would seldom land.
//   KILL_AT_WRITE="7 before" node --import ./scripts/kill-at-write.mjs …
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [number, when] = process.env.KILL_AT_WRITE.split(' ')
/** Workspaces are thrown away by whoever goes on. */
const isKept = (path) => /\.(jsonl|json|svg)(\.next)?$/.test(path) && !path.includes('.workspaces')
const paths = new Map()
let left = Number(number)
let isInside = false

function die() {
  process.kill(process.pid, 'SIGKILL')
  for (;;); // until it comes
}

const half = (data) => data.slice(0, Math.ceil(data.length / 2))

function wrap(name) {
  const real = fs[name]
  fs[name] = (target, data, ...more) => {
    const path = typeof target === 'number' ? (paths.get(target) ?? '') : String(target)
    if (isInside || !isKept(path)) return real(target, data, ...more)
    left -= 1
    isInside = true // one of these is made of others
    if (left === 0 && when === 'before') die()
    if (left === 0 && when === 'within' && name !== 'renameSync') {
      real(target, half(data), ...more)
      die()
    }
    const result = real(target, data, ...more)
    isInside = false
    if (left === 0) die()
    return result
  }
}

const open = fs.openSync
fs.openSync = (path, ...more) => {
  const file = open(path, ...more)
  paths.set(file, String(path))
  return file
}
for (const name of ['appendFileSync', 'writeFileSync', 'writeSync', 'renameSync']) wrap(name)
syncBuiltinESMExports()
