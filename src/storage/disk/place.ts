import { resolve } from 'node:path'
import type { Settings } from '../../config.ts'

/** Where the records are kept: `farm.sqlite` in the data directory, unless a PostgreSQL address is given. */
export type StoragePlace = Pick<Settings, 'data' | 'database'>

/** How the operator is told of a place; an address may hold a password and is not repeated. */
export const placeName = ({ data, database }: StoragePlace): string =>
  database === null ? resolve(data) : `the database ${new URL(database).pathname.slice(1)}`
