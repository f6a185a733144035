import { updateTogether } from '../../records/writing/update.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { Pauses } from '../../storage/pauses.ts'
import { onItsOwn } from '../../storage/sql/fragment.ts'
import type { BatchOperation } from '../../wire-1x/batch-operations.ts'
import { type BatchProgress, createRun, RefusedOperation } from '../../wire-1x/batch-runs.ts'
import { changeIn } from '../../wire-1x/record-draft.ts'
import type { OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import type { WordsByType } from './references.ts'
import { faultsOfRefusal, type JudgedRows, type RowDecision, RowJudge } from './row-decisions.ts'
import { lookUpRows, type RowLookup } from './row-lookup.ts'
import type { RowGroup } from './sheet-input.ts'

export type RowResult =
  | { readonly result: 'created'; readonly id: number; readonly isDone: boolean }
  | { readonly result: 'changed' | 'unchanged'; readonly id: number }
  | { readonly result: 'fault'; readonly faults: readonly RowFault[] }

export interface RowsToWrite {
  readonly groups: readonly RowGroup[]
  readonly words: WordsByType
  /** Decisions made before the write began. */
  readonly judged: JudgedRows | undefined
}

/** Records per run: enough to share the fixed cost, few enough for memory. */
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
    for (const group of groups) {
      // Lets other requests run; the transaction waits.
      await pauses.ifDue()
      await this.#take(group, judged?.still(group, this.#standing) ?? (await this.#decide(group)))
    }
    await this.#endRuns()
    return new Map(groups.flatMap((group) => this.#resultOf(group)))
  }

  /** In row order, whatever was written first. */
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
    for (const [index, { status, id }] of done.entries()) {
      const one = run[index]
      if (one === undefined) continue
      this.#judge.note(one.group, { id })
      const isDone = one.decision.tree.done === true
      this.#results.set(one.group, status === 201 ? { result: 'created', id, isDone } : { result: 'unchanged', id })
    }
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
