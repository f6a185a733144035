import type { Farm } from '../../farm/farm.ts'
import { areaNumbers } from '../../farm/newer/area-numbers.ts'
import { Refusal } from '../../refusal.ts'
import type { Follower } from '../../storage/backup/import-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { DerivedRows } from '../../storage/rebuilding.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { MovedQuantities } from './moved-quantities.ts'
import { rebuiltFrom } from './rebuilt.ts'
import { unknownIn } from './unknown-records.ts'

/** Works out everything that follows from records: index, timelines, inventory. */
export class Consequences implements Follower {
  readonly #farm: Farm
  readonly #derived = new DerivedRows()
  readonly #quantities: MovedQuantities
  readonly #unknown = new Set<string>()

  constructor(farm: Farm) {
    this.#farm = farm
    this.#quantities = new MovedQuantities(farm)
  }

  see(record: StoredRecord): void {
    refuseNumberOfArea(record)
    this.#derived.add(rebuiltFrom(this.#farm, record))
    this.#quantities.see(record)
    const name = unknownIn(this.#farm, record)
    if (name !== null) this.#unknown.add(name)
  }

  async store(tx: Transaction): Promise<void> {
    await this.#derived.store(tx)
    await this.#quantities.store(tx)
  }

  /** What can be made right only once everything is there. */
  mend(tx: Transaction): Promise<void> {
    return this.#quantities.mend(tx)
  }

  refuseUnknown(): void {
    if (this.#unknown.size === 0) return
    const names = [...this.#unknown].slice(0, 10).join(', ')
    throw new Refusal(
      'invalid-content',
      `No installed module knows ${names}. Give the farm's modules with --module, or take the ` +
        'records in as they are with --keep-unknown. Nothing was changed.',
    )
  }
}

/** It could not be told from an area in the newer generation. */
function refuseNumberOfArea({ type, id, values }: StoredRecord): void {
  if (type !== 'asset' || id < areaNumbers) return
  throw new Refusal(
    'invalid-content',
    `The asset “${values.name}” has the number ${id}: assets have numbers below ${areaNumbers}. Give it another one where it comes ` +
      'from. Nothing was changed.',
  )
}
