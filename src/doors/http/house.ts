import type { Ground } from '../../access/ground.ts'

/** What every door stands on: the catalogue, the rows, the time and how this server is run. */
export type House = Ground
