import { resolve } from 'node:path'
import { compactFile } from '../storage/compacting.ts'
import { vacuumPostgres } from '../storage/postgres/open-postgres.ts'
import { command, existingFarmOptions } from './command.ts'
import { requireFarm } from './existing-farm.ts'
import { say } from './terminal.ts'
import { inBytes } from './whole-farm.ts'

export const compact = command({
  words: 'compact',
  summary: 'Give room that nothing needs any more back to the disk; with SQLite the server must be stopped',
  takes: {},
  options: existingFarmOptions,
  async run({ options }) {
    const { data, database } = options
    if (database !== undefined) {
      say('PostgreSQL is told to VACUUM: what was deleted can be used again, and files stay as large as they are.')
      await vacuumPostgres(database)
      say('Done. To make the files smaller, run VACUUM FULL yourself, while no server is at work.')
      return
    }
    requireFarm(options)
    const { before, after } = await compactFile(resolve(data), ({ bytes, unusedBytes, neededBytes, seconds }) =>
      say(
        `The farm has ${inBytes(bytes)}, of which ${inBytes(unusedBytes)} are unused.`,
        `Compacting takes some ${seconds} s and up to ${inBytes(neededBytes)} of room.`,
      ),
    )
    say(`The farm had ${inBytes(before)} and has ${inBytes(after)}. From now on it gives room back by itself.`)
  },
})
