import { resolve } from 'node:path'
import type { ServerSettings } from '../../config.ts'

/** The database or its directory cannot be used as it is. The message is for the operator, who can do something about it. */
export class CannotOpen extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotOpen'
  }
}

/** There is nothing to open: no farm was ever made there. */
export class NoFarm extends CannotOpen {
  constructor(place: string, options: string) {
    super(`There is no farm in ${place}. Say where it is with ${options}.`)
    this.name = 'NoFarm'
  }
}

/** The storage of the records: `farm.sqlite` in the data directory, or a PostgreSQL address. */
export type StoragePlace = Pick<ServerSettings, 'data' | 'database'>

/** The place for messages; an address may hold a password and is not repeated. */
export const placeName = ({ data, database }: StoragePlace): string =>
  database === null ? resolve(data) : `the database ${new URL(database).pathname.slice(1)}`
