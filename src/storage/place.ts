import type { Settings } from '../config.ts'

/** Where the records are kept: `farm.sqlite` in the data directory, unless a PostgreSQL address is given. */
export type Place = Pick<Settings, 'data' | 'database'>
