import { groupBundle } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { isoTime } from '../../fields/time.ts'
import { updateTogether } from '../../records/writing/update.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { Pauses } from '../../storage/pauses.ts'
import { onItsOwn } from '../../storage/sql/fragment.ts'
import type { BatchOperation } from '../../wire-1x/batch-operations.ts'
import { type BatchProgress, createRun, RefusedOperation } from '../../wire-1x/batch-runs.ts'
import { changeIn } from '../../wire-1x/record-draft.ts'
import { type AnimalWithFacts, herdsCalled, logsOfAnimal } from './animal-facts.ts'
import { bodyOfPlanting } from './crop-plantings.ts'
import type { JudgedRows } from './judged-rows.ts'
import type { OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import type { WordsByType } from './references.ts'
import { faultsOfRefusal, type RowDecision, RowJudge } from './row-decisions.ts'
import { lookUpRows, type RowLookup } from './row-lookup.ts'
import type { RowMemory } from './row-memory.ts'
import type { RowGroup } from './sheet-input.ts'

export type RowResult =
  | { readonly result: 'created'; readonly id: number; readonly isDone: boolean }
  | { readonly result: 'changed' | 'unchanged'; readonly id: number }
  /** An earlier import made a record of it; it may have been removed since. */
  | { readonly result: 'recorded'; readonly id: number; readonly isRemoved: boolean }
  | { readonly result: 'fault'; readonly faults: readonly RowFault[] }

export interface RowsToWrite {
  readonly groups: readonly RowGroup[]
  readonly words: WordsByType
  /** Decisions made before the write began. */
  readonly judged: JudgedRows | undefined
  readonly memory: RowMemory
}

const newRecord = (type: RecordTypeName, body: Tree): BatchOperation => ({
  ...{ verb: 'create', type, id: '', uuid: undefined, match: undefined, body, as: undefined },
})

/** As many records as are kept together: what is done once for all of them counts little, and their rows do not fill the memory. */
const longestRun = 500

interface PendingRow<D extends RowDecision> {
  readonly group: RowGroup
  readonly decision: D
}

type RowCreation = Extract<RowDecision, { is: 'create' }>
type RowChange = Extract<RowDecision, { is: 'change' }>

/**
 * Writes rows inside a transaction. A refused row is reported; with the option to skip faults, the others are written.
 */
export async function writeRows(
  work: WriteContext,
  opened: OpenedSheet,
  rows: RowsToWrite,
): Promise<ReadonlyMap<RowGroup, RowResult>> {
  const standing = await lookUpRows(work.tx, opened, rows)
  return new RowWriter(work, opened, standing).write(rows)
}

class RowWriter {
  readonly #work: WriteContext
  readonly #opened: OpenedSheet
  readonly #standing: RowLookup
  readonly #judge: RowJudge
  readonly #results = new Map<RowGroup, RowResult>()
  #creations: PendingRow<RowCreation>[] = []
  #changes: PendingRow<RowChange>[] = []

  constructor(work: WriteContext, opened: OpenedSheet, standing: RowLookup) {
    this.#work = work
    this.#opened = opened
    this.#standing = standing
    this.#judge = new RowJudge({ ...work, opened })
  }

  async write({ groups, judged }: RowsToWrite): Promise<ReadonlyMap<RowGroup, RowResult>> {
    const pauses = new Pauses()
    await this.#makePlantings(groups)
    for (const group of groups) {
      // Lets other requests run; the transaction waits.
      await pauses.ifDue()
      await this.#take(group, judged?.still(group, this.#standing) ?? (await this.#decide(group)))
    }
    await this.#endRuns()
    return new Map(groups.flatMap((group) => this.#resultOf(group)))
  }

  /** Plantings that crops of rows mean and that are not there yet, before the logs that name them. */
  async #makePlantings(groups: readonly RowGroup[]): Promise<void> {
    const wanted = groups.flatMap((group) => {
      const found = this.#standing.plantingOf(group)
      return found?.is === 'new' && found.planting.id === undefined ? [found.planting] : []
    })
    const fresh = [...new Set(wanted)]
    const { installation } = this.#work
    const thisYear = isoTime(installation.clock(), this.#opened.sheet.zone).slice(0, 4)
    const ids = await this.#createAll(
      'asset',
      fresh.map((one) => bodyOfPlanting(one, thisYear)),
    )
    for (const [index, planting] of fresh.entries()) planting.id = ids[index]
  }

  /** In the order of the rows, whichever were kept first. */
  #resultOf(group: RowGroup): readonly (readonly [RowGroup, RowResult])[] {
    const result = this.#results.get(group)
    return result === undefined ? [] : [[group, result]]
  }

  /** Writes rows first that this row refers to. */
  async #decide(group: RowGroup): Promise<RowDecision> {
    const first = this.#judge.judge(group, this.#standing)
    if (first.awaited === undefined) return first.decision
    await this.#endRuns()
    const { decision, awaited } = this.#judge.judge(group, this.#standing)
    if (awaited === undefined) return decision
    const message = `names row ${awaited.row} (${awaited.name}), which was not taken`
    return { is: 'fault', faults: [{ row: group.rows[0].row, column: '', value: '', message }] }
  }

  async #take(group: RowGroup, decision: RowDecision): Promise<void> {
    switch (decision.is) {
      case 'fault':
        this.#results.set(group, { result: 'fault', faults: decision.faults })
        return
      case 'recorded':
        this.#results.set(group, { result: 'recorded', id: decision.id, isRemoved: decision.isRemoved })
        return
      case 'unchanged':
        this.#judge.note(group, decision)
        this.#results.set(group, { result: 'unchanged', id: decision.before.id })
        return
      case 'change':
        if (this.#keepsOrder && this.#creations.length > 0) await this.#endRuns()
        this.#judge.note(group, decision)
        this.#changes.push({ group, decision })
        break
      case 'create':
        if (this.#keepsOrder && this.#changes.length > 0) await this.#endRuns()
        this.#judge.note(group, {})
        this.#creations.push({ group, decision })
    }
    if (this.#changes.length === longestRun || this.#creations.length === longestRun) await this.#endRuns()
  }

  /** A group log can forbid a later one, so their order must be kept. */
  get #keepsOrder(): boolean {
    return this.#opened.sheet.type.name === 'log'
  }

  async #endRuns(): Promise<void> {
    const [creations, changes] = [this.#creations, this.#changes]
    this.#creations = []
    this.#changes = []
    await this.#inRun(creations, (run) => this.#create(run))
    await this.#inRun(changes, (run) => this.#change(run))
  }

  /** Writes rows together. After a refusal it bisects, until each refused row has its own fault. */
  async #inRun<D extends RowDecision>(
    run: readonly PendingRow<D>[],
    work: (run: readonly PendingRow<D>[]) => Promise<void>,
  ): Promise<void> {
    const [first, second] = run
    if (first === undefined) return
    try {
      await onItsOwn(this.#work.tx, () => work(run))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (second === undefined) return this.#refuse(first.group, error)
      const half = Math.ceil(run.length / 2)
      await this.#inRun(run.slice(0, half), work)
      await this.#inRun(run.slice(half), work)
    }
  }

  async #change(run: readonly PendingRow<RowChange>[]): Promise<void> {
    const changes = run.map(({ decision: { tree, before } }) => ({
      id: before.id,
      draftFor: changeIn(this.#intake, tree),
    }))
    const changed = await updateTogether(this.#work, this.#opened.sheet.type.name, changes)
    for (const [index, { group }] of run.entries()) {
      const one = changed[index]
      if (one === undefined) continue
      this.#results.set(group, { result: one.before === one.after ? 'unchanged' : 'changed', id: one.after.id })
    }
  }

  async #create(run: readonly PendingRow<RowCreation>[]): Promise<void> {
    const { type } = this.#opened.sheet
    const operations = run.map(({ decision: { tree, uuid } }): BatchOperation => {
      return { verb: 'create', type: type.name, id: '', uuid, match: undefined, body: tree, as: undefined }
    })
    const done = await createRun(this.#work, operations, { type: type.name, progress: this.#progress })
    const animals: AnimalWithFacts[] = []
    for (const [index, { status, id }] of done.entries()) {
      const one = run[index]
      if (one === undefined) continue
      const { facts, tree } = one.decision
      if (status === 201 && facts !== undefined) animals.push({ id, name: String(tree.name ?? ''), facts })
      this.#judge.note(one.group, { id })
      const isDone = one.decision.tree.done === true
      this.#results.set(one.group, status === 201 ? { result: 'created', id, isDone } : { result: 'unchanged', id })
    }
    await this.#recordFacts(animals)
  }

  /** The logs of new animals, and the herds that they name and that are not there yet. */
  async #recordFacts(animals: readonly AnimalWithFacts[]): Promise<void> {
    if (animals.length === 0) return
    const { tx, installation } = this.#work
    const herds = await herdsCalled(tx, animals)
    const wanted = new Map(animals.map(({ facts }) => [trimmedTextKey(facts.herd), facts.herd]))
    const fresh = [...wanted].filter(([key]) => key !== '' && !herds.has(key))
    const made = await this.#createAll(
      'asset',
      fresh.map(([, name]) => ({ type: groupBundle, name })),
    )
    for (const [index, [key]] of fresh.entries()) {
      const id = made[index]
      if (id !== undefined) herds.set(key, id)
    }
    const on = { herds, now: installation.clock(), labels: this.#opened.sheet.labels }
    await this.#createAll(
      'log',
      animals.flatMap((animal) => logsOfAnimal(animal, on)),
    )
  }

  /** Makes records that rows imply; answers their numbers. */
  async #createAll(type: RecordTypeName, bodies: readonly Tree[]): Promise<readonly number[]> {
    const ids: number[] = []
    for (let start = 0; start < bodies.length; start += longestRun) {
      const run = bodies.slice(start, start + longestRun).map((body) => newRecord(type, body))
      ids.push(...(await createRun(this.#work, run, { type, progress: this.#progress })).map(({ id }) => id))
    }
    return ids
  }

  #refuse(group: RowGroup, error: Refusal): void {
    const refusal = error instanceof RefusedOperation ? new Refusal(error.refusal, error.message, error.details) : error
    this.#results.set(group, { result: 'fault', faults: faultsOfRefusal(this.#opened.sheet, group, refusal) })
  }

  get #intake() {
    const { farm, vocabularies, settings } = this.#work.installation
    return { farm, vocabularies, address: settings.baseUrl }
  }

  /** Each run blocks others no longer than a batch may. */
  get #progress(): BatchProgress {
    return { named: new Map(), address: this.#work.installation.settings.baseUrl, stayRows: 0 }
  }
}
