import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from '../../src/access/installation.ts'
import type {
  ArrivedAccount,
  MoveCredentials,
  MoveJob,
  MoveProgress,
  MoveRun,
  MoveState,
  MoveTrial,
  RecordedSince,
} from '../../src/records/moving/move-job.ts'
import { Refusal } from '../../src/refusal.ts'
import type { Report } from '../../src/storage/report.ts'
import { findSetting, putSetting } from '../../src/storage/settings.ts'
import { pinnedConnection } from './address-guard.ts'
import { followDirectory } from './follow.ts'
import { withoutSlash } from './http-client.ts'
import { forecast } from './move-advice.ts'
import {
  arrivedAccounts,
  asRefused,
  bringFarm,
  isBeside,
  notedReading,
  nothing,
  phaseOf,
  recordedSince,
  recordingSetting,
  refused,
  refuseSwitched,
  reportIn,
  type StoredMove,
  stateSetting,
  storedMove,
  takeBack,
  trialIn,
  troubleOf,
} from './move-run.ts'
import type { ServedChecks } from './source.ts'
import { type SourceServer, sourceServerAt } from './source-server.ts'

/** A manager's wish for a running move: `pause`, `end` or nothing. Any server of the farm may be asked. */
const wishSetting = 'farmos_move_wish'

const beatMs = 500
const lookMs = 120_000

interface MoveContext {
  readonly installation: Installation
  readonly served: ServedChecks
}

type Answers = Parameters<MoveJob['start']>[1]

/** Without a server everything is taken back. */
type MoveStart = { readonly run: MoveRun; readonly server: SourceServer | null; readonly answers: Answers }

/** Moves in while the server runs, as the command line does with `--follow`. Credentials stay in memory only. */
export class BackgroundMove implements MoveJob {
  readonly #context: MoveContext
  readonly #process = randomUUID()
  #end = new AbortController()
  #server: SourceServer | null = null
  #work: Promise<void> | null = null
  #state: MoveState = nothing
  #trial: MoveTrial | null = null
  #isPaused = false
  #goOn: (() => void)[] = []
  #pages = 0
  #began = 0

  constructor(context: MoveContext) {
    this.#context = context
  }

  async state(): Promise<MoveState & { readonly loggedIn: boolean }> {
    const state = this.#work === null ? await storedMove(this.#context.installation, this.#process) : this.#state
    return { ...state, loggedIn: this.#server !== null && this.#server.address === state.address }
  }

  trial = (): MoveTrial | null => this.#trial

  async readTrial(): Promise<void> {
    const { installation } = this.#context
    const { read } = installation.database
    const isBegun = (await read((snapshot) => findSetting(snapshot, stateSetting))) !== undefined
    this.#trial = isBegun ? await trialIn(installation, await this.state()) : null
  }

  async setRecording(recording: 'allowed' | 'off'): Promise<void> {
    await this.readTrial()
    if (this.#trial === null) throw refused('This farm is no trial beside another one: people record here.')
    await this.#put(recordingSetting, recording)
    await this.readTrial()
  }

  arrivedAccounts = (): Promise<readonly ArrivedAccount[]> => arrivedAccounts(this.#context.installation)

  recordedSince(): Promise<RecordedSince> {
    return recordedSince(this.#context.installation)
  }

  async report(): Promise<string> {
    const { address } = await this.state()
    return address === '' ? '' : reportIn(this.#directory(address))
  }

  #directory = (address: string): string => followDirectory(this.#context.installation.settings.data, address)

  async look(address: string, credentials: MoveCredentials): Promise<void> {
    const url = new URL(address)
    const known = await this.#refuseWhileWorking()
    const noted = await notedReading(this.#context.installation)
    const from = noted?.sets === undefined || noted.undone ? undefined : noted.url
    if (from !== undefined && from !== withoutSlash(url))
      throw refused(`The records here came from ${from}. Give that address, or take them back first.`)
    refuseSwitched(noted)
    this.#stop()
    this.#end = new AbortController()
    const outlook = await asRefused(
      this.#inTime(url, async () => {
        await this.#logIn(url, credentials)
        return forecast(this.#loggedIn(withoutSlash(url)), this.#context.installation.farm)
      }),
    )
    const { spoken, withoutPrivateFiles, ...rest } = outlook
    const isNew = known.status === 'none' || known.status === 'undone' || known.address !== withoutSlash(url)
    await this.#keep({
      ...(isNew ? nothing : known),
      status: isNew ? 'ready' : known.status,
      address: withoutSlash(url),
      outlook: { interface: spoken, ...rest, without_private_files: withoutPrivateFiles },
    })
  }

  /** Ends the connection if the other server takes too long. */
  async #inTime<T>({ host }: URL, work: () => Promise<T>): Promise<T> {
    const end = this.#end
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      end.abort()
    }, lookMs)
    try {
      return await work()
    } catch (error) {
      throw isLate ? refused(`${host} takes too long to answer. Try again later.`) : error
    } finally {
      clearTimeout(timer)
    }
  }

  async #logIn(url: URL, credentials: MoveCredentials): Promise<void> {
    this.#server = null
    const { signal } = this.#end
    const { moveFromPrivate: allowsPrivate } = this.#context.installation.settings
    const connection = await pinnedConnection(url, { allowsPrivate, signal, ready: () => this.#ready(signal) })
    const server = await sourceServerAt(url, credentials, { spoken: undefined, connection })
    await server.info()
    await server.login.forgetPassword()
    this.#server = server
  }

  #loggedIn(address: string): SourceServer {
    if (this.#server?.address === address) return this.#server
    throw refused('Log in to the other server again: the password is not kept.')
  }

  async #refuseWhileWorking(): Promise<MoveState> {
    const state = await this.state()
    if (state.status !== 'running' && state.status !== 'paused') return state
    throw refused('A move is running. Wait until it has ended.')
  }

  async start(run: MoveRun, answers: Answers): Promise<void> {
    const { status, address, outlook, questions } = await this.#refuseWhileWorking()
    const noted = await notedReading(this.#context.installation)
    refuseSwitched(noted)
    if (run === 'move' ? status !== 'ready' && status !== 'stopped' : !isBeside(noted))
      throw refused(run === 'move' ? 'Look at the other server first.' : 'Nothing has moved in from another server.')
    const server = run === 'undo' ? null : this.#loggedIn(address)
    if (this.#end.signal.aborted) this.#end = new AbortController()
    this.#pages = 0
    this.#began = Date.now()
    this.#isPaused = false
    this.#state = { ...nothing, status: 'running', address, run, outlook, questions }
    await this.#put(wishSetting, '')
    if (status === 'ready') await this.#put(recordingSetting, 'off')
    await this.#keep(this.#state)
    this.#work = this.#run({ run, server, answers }).finally(() => {
      this.#work = null
    })
  }

  async pause(): Promise<void> {
    await this.#put(wishSetting, 'pause')
    if (this.#work !== null) await this.#obey('pause')
  }

  async goOn(): Promise<void> {
    const { status } = await this.state()
    if (status !== 'paused') throw refused('No move is paused here. Log in to the other server, and start again.')
    await this.#put(wishSetting, '')
    if (this.#work !== null) await this.#obey('')
  }

  async end(): Promise<void> {
    await this.#put(wishSetting, 'end')
    if (this.#work !== null) await this.#obey('end')
    await this.#work
  }

  #put(name: string, value: string): Promise<void> {
    return this.#context.installation.database.write((tx) => putSetting(tx, name, value))
  }

  async #obey(wish: string): Promise<void> {
    if (wish === 'end') return this.#stop()
    this.#isPaused = wish === 'pause'
    this.#state = { ...this.#state, status: this.#isPaused ? 'paused' : 'running' }
    if (!this.#isPaused) for (const goOn of this.#goOn.splice(0)) goOn()
    await this.#keep(this.#state)
  }

  async close(): Promise<void> {
    this.#stop()
    await this.#work
  }

  /** Ends connections and waiting. */
  #stop(): void {
    this.#isPaused = false
    this.#server = null
    this.#end.abort()
    for (const goOn of this.#goOn.splice(0)) goOn()
  }

  /** Before each request and each slice of records. */
  async #ready(signal: AbortSignal): Promise<void> {
    this.#pages += 1
    while (this.#isPaused && !signal.aborted) await new Promise<void>((resolve) => this.#goOn.push(resolve))
    if (signal.aborted) throw new Refusal('busy', 'The server was stopped.')
  }

  async #run(job: MoveStart): Promise<void> {
    const end = new AbortController()
    const beats = this.#beatUntil(end.signal)
    const outcome = await this.#outcomeOf(job, this.#end.signal)
    end.abort()
    // The last beat stores the state before the end.
    await beats
    const state = { ...this.#state, progress: null, ...outcome }
    await this.#keep(state).catch(() => {})
    // Told last: whoever hears of the end also finds recording as it is from then on.
    this.#state = state
  }

  async #outcomeOf({ server, ...job }: MoveStart, signal: AbortSignal): Promise<Partial<MoveState>> {
    const work = {
      ...this.#context,
      directory: this.#directory(this.#state.address),
      report: (as: MoveProgress['phase'] | null) => this.#report(as),
      ready: () => this.#ready(signal),
    }
    try {
      return await (server === null ? takeBack(work) : bringFarm(work, { ...job, server }))
    } catch (error) {
      // A stopped server says nothing of trouble: another start goes on.
      return { status: 'stopped', trouble: signal.aborted ? null : troubleOf(error) }
    }
  }

  /** After a beat that failed the next comes soon. */
  async #beatUntil(signal: AbortSignal): Promise<void> {
    while (await sleep(beatMs, true, { signal }).catch(() => false)) await this.#beat().catch(() => {})
  }

  async #beat(): Promise<void> {
    const { read } = this.#context.installation.database
    const wish = (await read((snapshot) => findSetting(snapshot, wishSetting))) ?? ''
    if (wish === 'end' || (wish === 'pause') !== this.#isPaused) await this.#obey(wish)
    else await this.#keep(this.#state)
  }

  async #keep(state: MoveState): Promise<void> {
    const stored: StoredMove = { ...state, process: this.#process, beat: this.#context.installation.clock() }
    await this.#put(stateSetting, JSON.stringify(stored))
    this.#trial = await trialIn(this.#context.installation, state)
  }

  #report(as: MoveProgress['phase'] | null): Report {
    return (what, done, total) => {
      const seconds = Math.round((Date.now() - this.#began) / 1000)
      const progress = { phase: as ?? phaseOf(what), done, total, pages: this.#pages, seconds }
      this.#state = { ...this.#state, progress }
    }
  }
}
