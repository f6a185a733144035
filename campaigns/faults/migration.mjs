import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { furrow, serve, startServing } from '../ground/furrow.mjs'
import { compareCopies } from '../upgrade/comparing.mjs'
import { earlierVersions, growEarlierFarm, rowsOf } from '../upgrade/earlier-farm.mjs'
import { copiesIn } from '../upgrade/opening.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

/** Enough that the migration takes as long as the start of the server. */
const logs = 5_000
const counted = ['log', 'asset', 'term', 'file', 'account', 'journal']

/**
 * Kills a server while it migrates a farm of each earlier version; the next start must finish.
 * @param {Campaign} campaign
 * @param {number} kills of each version
 */
export async function killDuringMigration(campaign, kills) {
  const versions = await earlierVersions()
  for (const version of versions) await killAndOpen(campaign, version, kills)
  const killed = versions.length * kills
  campaign.tell(`${killed} kills during migrations from versions ${versions.join(', ')}`)
  return killed
}

/** @param {Campaign} campaign @param {number} version @param {number} kills */
async function killAndOpen(campaign, version, kills) {
  const { dist, place, dice, findings } = campaign
  const data = join(place, `version-${version}`)
  const where = ['--data', data, '--base-url', 'https://farm.example']
  const { copies } = await growEarlierFarm(data, { version, logs })
  const before = rowsOf(join(data, 'farm.sqlite'), counted)
  const longest = await millisecondsToOpen(dist, data)
  for (let n = 0; n < kills; n++) {
    const { child, ended } = startServing(dist, where)
    await sleep(dice.roll() * longest)
    child.kill('SIGKILL')
    await ended
  }
  const server = await serve(dist, where)
  await compareCopies(campaign, { port: server.port, version, copies, samples: 50 })
  await server.stopped()
  const kept = (await readdir(data)).filter((name) => name.startsWith(`farm-version-${version}-`))
  findings.check(copiesIn(kept).length > 0, `no whole copy was kept before the migration from version ${version}`)
  // The doctor advises to delete an incomplete copy.
  for (const half of kept.filter((name) => name.endsWith('.partial'))) await rm(join(data, half))
  const { code, stdout, stderr } = await furrow(dist, ['doctor', '--data', data])
  findings.check(code === 0, `after a migration from version ${version} the doctor says ${stdout}${stderr}`)
  const after = rowsOf(join(data, 'farm.sqlite'), counted)
  findings.check(
    JSON.stringify(after) === JSON.stringify(before),
    `before the migration from version ${version} there were ${JSON.stringify(before)} rows, and now ${JSON.stringify(after)}`,
  )
}

/** Time to open a copy of the farm without a kill. @param {string} dist @param {string} data */
async function millisecondsToOpen(dist, data) {
  const copy = `${data}-undisturbed`
  await mkdir(copy, { mode: 0o700 })
  await copyFile(join(data, 'farm.sqlite'), join(copy, 'farm.sqlite'))
  const began = performance.now()
  const server = await serve(dist, ['--data', copy])
  const took = performance.now() - began
  await server.stopped()
  await rm(copy, { recursive: true })
  return took
}
