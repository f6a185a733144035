import { comingAndGoing, groupBundle, logCategoryBundle } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { isoTime } from '../../fields/time.ts'
import { updateTogether } from '../../records/writing/update.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { Pauses } from '../../storage/pauses.ts'
import { onItsOwn } from '../../storage/sql/fragment.ts'
import type { BatchOperation } from '../../wire-1x/batch-operations.ts'
import { type BatchProgress, createRun, RefusedOperation } from '../../wire-1x/batch-runs.ts'
import { changeIn } from '../../wire-1x/record-draft.ts'
import { type AnimalWithFacts, categoriesNeeded, logsOfAnimal, lookUpAnimals } from './animal-facts.ts'
import { bodyOfPlanting } from './crop-plantings.ts'
import type { RowResult, RowSubject } from './import-outcome.ts'
import { type JudgedRows, parentsFirst } from './judged-rows.ts'
import type { OpenedSheet } from './open-sheet.ts'
import type { WordsByType } from './references.ts'
import { faultsOfRefusal, type RowDecision, RowJudge, withPlanting } from './row-decisions.ts'
import { lookUpRows, type RowLookup, type RowMemory } from './row-lookup.ts'
import { topicCell } from './row-topics.ts'
import type { RowGroup } from './sheet-input.ts'

export interface RowsToWrite {
  readonly groups: readonly RowGroup[]
  readonly words: WordsByType
  /** Decisions made before the write began. */
  readonly judged: JudgedRows | undefined
  readonly memory: RowMemory
}

const newRecord = (type: RecordTypeName, { uuid, ...body }: Tree): BatchOperation => ({
  ...{ verb: 'create', type, id: '', uuid: uuidIn(uuid), match: undefined, body, as: undefined },
})

/** As many records as are kept together: what is done once for all of them counts little, and their rows do not fill the memory. */
const longestRun = 500

interface PendingRow<D extends RowDecision> {
  readonly group: RowGroup
  readonly decision: D
}

type RowCreation = Extract<RowDecision, { is: 'create' }>
type RowChange = Extract<RowDecision, { is: 'change' }>
type RowSilence = Extract<RowDecision, { is: 'unchanged' }>

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
  /** Rows of animals that are there, whose facts become logs at the end. */
  readonly #standingAnimals: PendingRow<RowChange | RowSilence>[] = []

  constructor(work: WriteContext, opened: OpenedSheet, standing: RowLookup) {
    this.#work = work
    this.#opened = opened
    this.#standing = standing
    this.#judge = new RowJudge({ ...work, opened })
  }

  async write({ groups, judged }: RowsToWrite): Promise<ReadonlyMap<RowGroup, RowResult>> {
    const pauses = new Pauses()
    await this.#makePlantings(groups)
    for (const group of parentsFirst(this.#opened.sheet, groups)) {
      // Lets other requests run; the transaction waits.
      await pauses.ifDue()
      await this.#take(group, judged?.still(group, this.#standing) ?? (await this.#decide(group)))
    }
    await this.#endRuns()
    await this.#recordStanding()
    return new Map(groups.flatMap((group) => this.#resultOf(group)))
  }

  /** Plantings that crops of rows mean and that are not there yet, before the logs that name them. */
  async #makePlantings(groups: readonly RowGroup[]): Promise<void> {
    const wanted = groups.flatMap((group) => {
      const isRecorded = this.#standing.rememberedOf(group)?.is === 'recorded'
      const found = isRecorded ? undefined : this.#standing.plantingOf(group)
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
        if (decision.facts !== undefined) this.#standingAnimals.push({ group, decision })
        return
      case 'change':
        if (this.#keepsOrder && this.#creations.length > 0) await this.#endRuns()
        this.#judge.note(group, decision)
        this.#changes.push({ group, decision })
        if (decision.facts !== undefined) this.#standingAnimals.push({ group, decision })
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
    const operations = run.map(({ group, decision: { tree, uuid } }): BatchOperation => {
      const body = withPlanting(tree, this.#standing.plantingOf(group))
      return { verb: 'create', type: type.name, id: '', uuid, match: undefined, body, as: undefined }
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
      const about = this.#subjectOf(one)
      this.#results.set(
        one.group,
        status === 201 ? { result: 'created', id, isDone, about } : { result: 'unchanged', id },
      )
    }
    await this.#recordFacts(animals)
  }

  #subjectOf({ group, decision: { tree } }: PendingRow<RowCreation>): RowSubject {
    const { sheet } = this.#opened
    const planting = this.#standing.plantingOf(group)
    return {
      bundle: String(tree[sheet.type.bundleName] ?? ''),
      year: sheet.type.name === 'log' ? isoTime(Number(tree.timestamp), sheet.zone).slice(0, 4) : '',
      crop: topicCell(sheet, group.rows[0], 'crop'),
      planting: planting?.is === 'new' ? planting.planting.name : '',
    }
  }

  /** What rows say of animals that are there. */
  async #recordStanding(): Promise<void> {
    const rows = this.#standingAnimals.flatMap(({ group, decision: { before, facts } }) =>
      facts === undefined || this.#results.get(group)?.result === 'fault'
        ? []
        : [{ group, id: before.id, name: String(before.values.name ?? ''), facts }],
    )
    const changed = await this.#recordFacts(rows)
    for (const { group, id } of rows) if (changed.has(id)) this.#results.set(group, { result: 'changed', id })
  }

  /** The logs of animals, with the herds and categories that they need and that are not there yet. */
  async #recordFacts(animals: readonly AnimalWithFacts[]): Promise<ReadonlySet<number>> {
    if (animals.length === 0) return new Set()
    const { tx, installation } = this.#work
    const now = installation.clock()
    const there = await lookUpAnimals(tx, animals, now)
    const wanted = new Map(animals.map(({ facts }) => [trimmedTextKey(facts.herd), facts.herd]))
    const herds = [...wanted].filter(([key]) => key !== '' && !there.herds.has(key))
    const made = await this.#createAll(
      'asset',
      herds.map(([, name]) => ({ type: groupBundle, name })),
    )
    for (const [index, [key]] of herds.entries()) there.herds.set(key, made[index] ?? 0)
    const categories = [...new Set(animals.flatMap(({ facts }) => categoriesNeeded(facts)))].filter(
      (word) => !there.categories.has(word),
    )
    const terms = await this.#createAll(
      'term',
      categories.map((word) => ({ ...comingAndGoing[word], vocabulary: logCategoryBundle })),
    )
    for (const [index, word] of categories.entries()) there.categories.set(word, terms[index] ?? 0)
    const context = { ...there, now, labels: this.#opened.sheet.labels }
    const logs = animals.map((animal) => ({ id: animal.id, logs: logsOfAnimal(animal, context) }))
    await this.#createAll(
      'log',
      logs.flatMap((one) => one.logs),
    )
    return new Set(logs.filter((one) => one.logs.length > 0).map(({ id }) => id))
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
