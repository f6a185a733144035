import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Installation } from '../../src/access/installation.ts'
import type {
  ArrivedAccount,
  MoveJob,
  MoveProgress,
  MoveRun,
  MoveState,
  MoveTrial,
  RecordedSince,
} from '../../src/records/moving/move-job.ts'
import { openRecords } from '../../src/records/records.ts'
import { Refusal } from '../../src/refusal.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { ensureDataDirectory, makeDirectory } from '../../src/storage/disk/data-directory.ts'
import type { Report } from '../../src/storage/report.ts'
import { findSetting } from '../../src/storage/settings.ts'
import { type MoveFinding, reportFindings } from './findings.ts'
import { bringChanges, firstNote, missingHere, notedIn, readChanges } from './follow.ts'
import { followState } from './follow-state.ts'
import { FollowWriter } from './follow-writer.ts'
import { compareReading, readFarm } from './move-in.ts'
import type { ServedChecks } from './source.ts'
import type { SourceServer } from './source-server.ts'
import { type NotedReading, readingNotedIn } from './target-farm.ts'
import { unknownName } from './translation.ts'

/** The state as it is stored, with the process that works on it and its last sign of life. */
export interface StoredMove extends MoveState {
  readonly process: string
  readonly beat: number
}

export const stateSetting = 'farmos_move'
/** Whether people may record during the trial: `allowed` or not. */
export const recordingSetting = 'farmos_move_recording'

const silentSeconds = 60

export const nothing: MoveState = {
  status: 'none',
  address: '',
  run: null,
  outlook: null,
  progress: null,
  trouble: null,
  counts: null,
  verdict: null,
  questions: [],
}

/** The stored state as this process sees it. */
export async function storedMove(installation: Installation, own: string): Promise<MoveState> {
  const { database, clock } = installation
  const text = await database.read((snapshot) => findSetting(snapshot, stateSetting))
  const stored: StoredMove | undefined = text === undefined ? undefined : JSON.parse(text)
  if (stored === undefined) {
    const noted = await notedReading(installation)
    if (noted?.url === undefined || noted.sets === undefined) return nothing
    return { ...nothing, status: noted.switched ? 'switched' : 'moved', address: noted.url }
  }
  const { process, beat, ...state } = stored
  const isGone = database.engine === 'sqlite' || process === own || clock() - beat > silentSeconds
  return isWorking(state) && isGone ? { ...state, status: 'stopped', progress: null } : state
}

const isWorking = ({ status }: MoveState): boolean => status === 'running' || status === 'paused'

export async function notedReading({ database }: Installation): Promise<NotedReading | undefined> {
  return readingNotedIn(await database.read((snapshot) => rowsOf(snapshot, 'setting')))
}

/** Records came from there and were not taken back. */
export const isBeside = (noted: NotedReading | undefined): boolean => noted?.sets !== undefined && !noted.undone

/** A trial begins with the first run, and ends with the switch or when everything was taken back. */
export async function trialIn(installation: Installation, state: MoveState): Promise<MoveTrial | null> {
  if (!isWorking(state)) {
    if (state.status !== 'moved' && state.status !== 'stopped') return null
    const noted = await notedReading(installation)
    if (!isBeside(noted) || noted?.switched) return null
  }
  const recording = await installation.database.read((snapshot) => findSetting(snapshot, recordingSetting))
  return { address: state.address, recording: recording === 'allowed' }
}

export async function arrivedAccounts(installation: Installation): Promise<readonly ArrivedAccount[]> {
  const noted = await notedReading(installation)
  const uids = new Set(Object.values(noted?.accounts ?? {}))
  const blocked = new Set(noted?.blocked ?? [])
  const accounts = await installation.database.read((snapshot) => rowsOf(snapshot, 'account'))
  return accounts.flatMap(({ uid: number, name }) => {
    const uid = Number(number)
    const isOfSomebody = !String(name).startsWith(unknownName) && !blocked.has(uid)
    return uids.has(uid) ? [{ uid, canBeInvited: isOfSomebody }] : []
  })
}

export async function recordedSince(installation: Installation): Promise<RecordedSince> {
  const noted = await notedReading(installation)
  if (noted === undefined) return { own: 0, changed: 0, untouched: 0 }
  const { bases, here } = await followState(await openRecords(installation), noted)
  const came = [...bases].filter(([key]) => here.has(key))
  const untouched = came.filter(([key, base]) => here.get(key) === base).length
  return { own: here.size - came.length, changed: came.length - untouched, untouched }
}

interface MoveWork {
  readonly installation: Installation
  readonly served: ServedChecks
  /** Keeps what was read between runs. */
  readonly directory: string
  /** Takes progress, of that phase or of the one that it names. */
  report(as: MoveProgress['phase'] | null): Report
  /** Waits while the work is paused. */
  ready(): Promise<void>
}

interface FarmToBring {
  readonly server: SourceServer
  readonly run: MoveRun
  readonly answers: Parameters<MoveJob['start']>[1]
}

const reportFileIn = (directory: string): string => `${directory}-report.txt`

/** All findings of the last comparison; empty before the first. */
export function reportIn(directory: string): string {
  try {
    return readFileSync(reportFileIn(directory), 'utf8')
  } catch {
    return ''
  }
}

/** Reads the other server, writes what is new, and compares after a first and a last run. */
export async function bringFarm(
  { installation, served, directory, report, ready }: MoveWork,
  { server, run, answers }: FarmToBring,
): Promise<Partial<MoveState>> {
  const records = await openRecords(installation)
  const url = server.address
  ensureDataDirectory(installation.settings.data)
  const withProgress = <T>(work: (report: Report) => Promise<T>) => work(report(null))
  const host = { ...served, withProgress, ready }
  const reading = await readChanges(server, directory, host)
  const unknown = reading.showAsKnown(records.farm)
  const { undone: _, ...noted } =
    (await notedIn(records, url)) ?? firstNote(reading, { url, now: installation.clock() })
  const asked = { takeTheirs: answers.theirs, keepOurs: answers.ours }
  const input = { server, path: directory, records, reading, noted, answers: asked, host }
  const { following, questions } = await bringChanges(input)
  const outcome: Partial<MoveState> = {
    status: 'moved',
    counts: { ...following.counts },
    questions: questions.map(({ about, ...question }) => ({ record: about, ...question })),
  }
  if (run === 'follow' || (run === 'last' && questions.length > 0)) return outcome
  let compared = reading
  if (run === 'move') {
    const again = join(directory, 'again')
    rmSync(again, { recursive: true, force: true })
    makeDirectory(again)
    compared = await readFarm(server, again, { withProgress: (work) => work(report('compare')) })
    compared.showAsKnown(records.farm)
  }
  const all = await compareReading({ installation, reading: compared, options: { notes: 'text' }, host })
  rmSync(join(directory, 'again'), { recursive: true, force: true })
  const renumbered = following.renumbered.map(
    (sentence): MoveFinding => ({ kind: 'elsewhere', why: 'renumbered', sentence }),
  )
  const findings = [...unknown, ...all.filter(({ why }) => why !== 'only here'), ...renumbered]
  reportFindings(findings, reportFileIn(directory), () => {})
  const verdict = verdictOf(findings, installation.clock())
  if (run === 'move') return { ...outcome, verdict }
  if (missingHere(all).length > 0) return { ...outcome, verdict, trouble: 'Something differs from the other server.' }
  await following.end()
  rmSync(directory, { recursive: true, force: true })
  return { ...outcome, verdict, status: 'switched' }
}

/** Removes every record that came from there and that nobody changed here. */
export async function takeBack({ installation, report, ready }: MoveWork): Promise<Partial<MoveState>> {
  const records = await openRecords(installation)
  const noted = readingNotedIn(await records.database.read((snapshot) => rowsOf(snapshot, 'setting')))
  if (noted === undefined) return { status: 'undone', questions: [] }
  const { bases, here } = await followState(records, noted)
  const keys = [...bases].flatMap(([key, base]) => (here.get(key) === base ? [key] : []))
  const writer = new FollowWriter({ records, noted, hasUuids: false, ready })
  const tell = report('remove')
  await writer.remove(keys, (done) => tell('records removed', done, keys.length))
  await writer.note({ undone: true })
  return { status: 'undone', counts: { ...writer.counts }, questions: [] }
}

/** The phase of a progress message. */
export function phaseOf(what: string): MoveProgress['phase'] {
  if (/written/.test(what)) return 'write'
  if (/removed/.test(what)) return 'remove'
  if (/compared|fetched/.test(what)) return 'compare'
  return /file/.test(what) ? 'files' : 'read'
}

const mostExamples = 20

function verdictOf(findings: readonly MoveFinding[], at: number): NonNullable<MoveState['verdict']> {
  const groups = new Map<string, MoveFinding[]>()
  for (const finding of findings) {
    const key = `${finding.kind} ${finding.why}`
    const alike = groups.get(key)
    if (alike === undefined) groups.set(key, [finding])
    else alike.push(finding)
  }
  const count = (kind: MoveFinding['kind']) => findings.filter((finding) => finding.kind === kind).length
  return {
    at,
    lost: count('lost'),
    changed: count('changed'),
    groups: [...groups.values()].flatMap((alike) => {
      const [first] = alike
      const examples = alike.slice(0, mostExamples).map(({ sentence }) => sentence)
      return first === undefined ? [] : [{ kind: first.kind, cause: first.why, count: alike.length, examples }]
    }),
  }
}

export function refuseSwitched(noted: NotedReading | undefined): void {
  if (noted?.switched) throw refused('The switch is done, and people work here now. Nothing was changed.')
}

export const refused = (sentence: string): Refusal => new Refusal('move-refused', sentence)

/** What the other server refuses is no refusal of this one. */
export async function asRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) throw refused(troubleOf(error))
    throw error
  }
}

/** The words of a refusal without advice for the command line. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof Refusal)) return `Something went wrong: ${String(error)}`
  const sentences = error.message.split(/(?<=[.:]) /)
  return sentences.filter((sentence) => !/--(?!move)\w/.test(sentence)).join(' ')
}
