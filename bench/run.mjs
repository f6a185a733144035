import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compareWithCommit } from './against.mjs'
import { usage, wishesIn } from './arguments.mjs'
import { build } from './build.mjs'
import { compareSizes } from './growth.mjs'
import { measureIdle } from './idle.mjs'
import { measureMoving } from './moving.mjs'
import { compareNodes } from './nodes.mjs'
import { circumstances } from './report.mjs'
import { measureReports } from './reports.mjs'
import { compareWithFloor } from './requests.mjs'
import { checkPlanting } from './same-rows.mjs'
import { measureTakingIn } from './taking-in.mjs'

const wishes = wishesIn(process.argv.slice(2))
if (wishes.help) {
  console.log(usage)
  process.exit()
}
const place = await mkdtemp(join(tmpdir(), 'furrow-bench-'))
process.once('exit', () => rmSync(place, { recursive: true, force: true }))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1))

const dist = wishes.build === undefined ? await build() : resolve(wishes.build)
const part = partOf(wishes)
const { missed, figures } = await part(dist, wishes, place)
if (wishes.json !== undefined) {
  await writeFile(wishes.json, `${JSON.stringify({ ...circumstances(), missed, ...figures }, null, 2)}\n`)
}
for (const one of missed) console.error(`Missed: ${one}`)
if (missed.length > 0) process.exitCode = 1

/** @param {import('./arguments.mjs').Wishes} wishes */
function partOf({ growth, idle, nodes, moving, takingIn, reports, against, check }) {
  if (growth) return compareSizes
  if (idle) return measureIdle
  if (nodes) return compareNodes
  if (moving) return measureMoving
  if (takingIn) return measureTakingIn
  if (reports) return measureReports
  if (against !== undefined) return compareWithCommit
  return check ? checkPlanting : compareWithFloor
}
