/** Opens a farm of an earlier version with a million logs, with repeated kills: npm run upgrade -- --logs 100000 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { furrow } from './ground/furrow.mjs'
import { campaign } from './ground/wishes.mjs'
import { compareCopies } from './upgrade/comparing.mjs'
import { growEarlierFarm, rowsOf, versionOf } from './upgrade/earlier-farm.mjs'
import { copiesIn, openAfterKills } from './upgrade/opening.mjs'

/** The oldest version in use, so that all migrations run. */
const version = 4

const counted = ['log', 'asset', 'term', 'file', 'account', 'journal']

/** Number of progress lines about the migration, without those about the copy before it. @param {string} said */
const progressIn = (said) =>
  said
    .split('\r\x1b[K')
    .slice(1)
    .filter((line) => /^[^\n]+$/.test(line) && !line.includes('keeping a copy')).length

await campaign({ name: 'upgrade', seconds: 7200, numbers: ['logs', 'kills', 'samples'], parts: [] }, async (about) => {
  const { dist, place, findings, tell, number } = about
  const data = join(place, 'farm')
  const { copies } = await growEarlierFarm(data, { version, logs: number('logs', 1_000_000) })
  const path = join(data, 'farm.sqlite')
  const [from, before] = [versionOf(path), rowsOf(path, counted)]
  tell(`a farm of version ${from} with ${before.log} logs`)
  const { server, kills, said, seconds } = await openAfterKills(about, data, number('kills', 10))
  const to = versionOf(path)
  tell(`open as version ${to} after ${kills} kills; the last start took ${seconds.toFixed(1)} s`)
  if (to === from) tell(`this release has the tables of version ${from}: there was nothing to bring up to date`)
  else if (said === null) tell('there is no `script` on this machine to show progress on: it was not looked at')
  else if (seconds > 5) findings.check(progressIn(said) > 0, () => `no progress was shown, but: ${said}`)
  if (to !== from)
    findings.check(copiesIn(await readdir(data)).length > 0, 'no whole copy was kept of the farm as it was')
  await compareCopies(about, { port: server.port, version, copies, samples: number('samples', 200) })
  await server.stopped()
  findings.check(
    JSON.stringify(rowsOf(path, counted)) === JSON.stringify(before),
    () => `there were ${JSON.stringify(before)} rows, and now ${JSON.stringify(rowsOf(path, counted))}`,
  )
  const { code, stdout, stderr } = await furrow(dist, ['doctor', '--data', data])
  findings.check(code === 0, `the doctor says ${stdout}${stderr}`)
  return { logs: before.log ?? 0, from, to, kills, 'seconds of the last start': seconds.toFixed(1) }
})
