import type { RecordTypeName } from '../../../farm/farm.ts'
import { mostStays, stayRowsAdded } from '../../../history/implications.ts'
import type { Work } from '../../../records/writing/work.ts'
import { Refusal } from '../../../refusal.ts'
import type { RecordToStore } from '../../../storage/records/stored.ts'
import type { Intake } from '../intake/record-draft.ts'
import type { NamedResult, Operation } from './operations.ts'

/** Operations that are carried out together. */
export type Run = readonly Operation[]

/** What the operations so far have left for the rest of the batch. */
export interface Progress {
  readonly named: Map<string, NamedResult>
  /** The address of the farm that the batch was sent to. */
  readonly address: string | null
  /** How many rows of stays they have added. */
  stayRows: number
}

/** Why one operation of a run is not carried out. */
export class RefusedOperation extends Refusal {
  /** Which of the run. */
  readonly index: number
  /** Whether the rest cannot be carried out either. */
  readonly endsAll: boolean

  constructor({ refusal, message, details }: Refusal, index: number, endsAll = false) {
    super(refusal, message, details)
    this.index = index
    this.endsAll = endsAll
  }
}

export interface Done {
  readonly status: number
  readonly type: RecordTypeName
  readonly id: number
}

export const intakeOf = ({ installation }: Work, { address }: Progress): Intake => ({
  farm: installation.farm,
  vocabularies: installation.vocabularies,
  address,
})

/** The limit of one log holds for all that a batch adds: its logs keep everybody waiting together. */
export function countStays(
  change: { readonly before?: RecordToStore; readonly after: RecordToStore },
  { index, progress }: { readonly index: number; readonly progress: Progress },
): void {
  try {
    progress.stayRows += stayRowsAdded(change)
  } catch (error) {
    throw placedAt(index, error)
  }
  if (progress.stayRows <= mostStays) return
  const message = `The logs up to here put assets into more than ${mostStays} places: make smaller batches.`
  throw new RefusedOperation(new Refusal('invalid-content', message), index, true)
}

export async function placed(index: number, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    throw placedAt(index, error)
  }
}

const placedAt = (index: number, error: unknown): unknown =>
  error instanceof Refusal ? new RefusedOperation(error, index) : error
