/**
 * Kills, fills, disconnects and damages, and checks that nothing acknowledged is lost: npm run faults -- --seconds 600
 * With --cluster: three PostgreSQL servers under Patroni, see deploy/cluster/cluster.sh.
 */
import { backupAndRestore } from './faults/archives.mjs'
import { clusterFaults } from './faults/cluster.mjs'
import { fillDisk } from './faults/disk-full.mjs'
import { killRounds } from './faults/kill.mjs'
import { killDuringMigration } from './faults/migration.mjs'
import { tryPoolers } from './faults/poolers.mjs'
import { postgresFaults } from './faults/postgres.mjs'
import { secondServer, stopUnderLoad } from './faults/stopping.mjs'
import { countSyncs } from './faults/syncs.mjs'
import { campaign } from './ground/wishes.mjs'

const parts = ['stop', 'archives', 'migration', 'syncs', 'disk', 'postgres', 'kill', 'poolers', 'failover']

const usual = { name: 'faults', seconds: 3600, numbers: ['rounds', 'damages', 'kills', 'switches'], parts }

await campaign({ ...usual, flags: ['cluster'] }, async (about) => {
  if (about.isSet('cluster')) {
    const pooled = about.wants('poolers') ? { 'acknowledged through a pooler': await tryPoolers(about) } : {}
    return { ...pooled, ...(about.wants('failover') ? await clusterFaults(about) : {}) }
  }
  /** @type {Record<string, string | number>} */
  const figures = {}
  if (['stop', 'archives'].some(about.wants)) {
    const { farm, took, underWay } = await stopUnderLoad(about)
    about.tell(`SIGTERM five times, with ${underWay} writes under way: ended within ${took} ms`)
    await secondServer(about, farm)
    if (about.wants('archives')) {
      const { writtenDuringBackup, damages } = await backupAndRestore(about, farm, about.number('damages', 20))
      Object.assign(figures, { 'writes during backup': writtenDuringBackup, 'damaged archives': damages })
    }
    await farm.stop()
  }
  if (about.wants('migration')) figures['kills during migration'] = await killDuringMigration(about, 5)
  if (about.wants('syncs')) figures['syncs/writes'] = await countSyncs(about, 50)
  if (about.wants('disk')) figures['writes until the disk was full'] = await fillDisk(about)
  if (about.wants('postgres')) {
    const { terminations, acknowledged } = await postgresFaults(about)
    Object.assign(figures, { 'cut connections': terminations, 'acknowledged on PostgreSQL': acknowledged })
  }
  if (about.wants('kill')) {
    const { rounds, acknowledged, unanswered, inFlight } = await killRounds(about, about.number('rounds', 500))
    Object.assign(figures, { kills: rounds, acknowledged, unanswered, 'least in flight': inFlight })
  }
  return figures
})
