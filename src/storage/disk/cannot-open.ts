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

/** Where the records are kept: `farm.sqlite` in the data directory, unless a PostgreSQL address is given. */
export type StoragePlace = Pick<ServerSettings, 'data' | 'database'>

/** How the operator is told of a place; an address may hold a password and is not repeated. */
export const placeName = ({ data, database }: StoragePlace): string =>
  database === null ? resolve(data) : `the database ${new URL(database).pathname.slice(1)}`
