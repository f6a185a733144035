/** Credentials of the other server. They are used to log in and are stored nowhere. */
export type MoveCredentials = { readonly user: string; readonly password: string } | { readonly token: string }

/** The runs: move in, bring later changes, bring the last ones and switch, take everything back. */
export type MoveRun = 'move' | 'follow' | 'last' | 'undo'

/**
 * `none`: nothing was begun; `ready`: the other server was looked at; `running`, `paused`; `stopped`: a run ended before
 * its end and can go on; `moved`: this farm has the other one's records and can follow; `switched`, `undone`: it is over.
 */
export type MoveStatus = 'none' | 'ready' | 'running' | 'paused' | 'stopped' | 'moved' | 'switched' | 'undone'

/** Known before the start. */
export interface MoveOutlook {
  readonly interface: '1.x' | 'api'
  readonly pages: number
  readonly seconds: number
  readonly unknown: readonly string[]
  readonly others: readonly string[]
  readonly without_private_files: boolean
}

export interface MoveProgress {
  readonly phase: 'read' | 'files' | 'write' | 'compare' | 'remove'
  readonly done: number
  /** 0: unknown. */
  readonly total: number
  readonly pages: number
  readonly seconds: number
}

/** Findings of one cause. */
export interface MoveFindingGroup {
  readonly kind: 'lost' | 'changed' | 'elsewhere'
  readonly cause: string
  readonly count: number
  readonly examples: readonly string[]
}

export interface MoveVerdict {
  readonly at: number
  readonly lost: number
  readonly changed: number
  readonly groups: readonly MoveFindingGroup[]
}

/** A field that differs: values as 1.x has them, or null. */
export interface MoveDifference {
  readonly field: string
  readonly there: unknown
  readonly here: unknown
}

export interface MoveQuestion {
  readonly record: string
  /** The record's bundle; empty if it is on neither side. */
  readonly type: string
  readonly name: string
  readonly sentence: string
  readonly sides: readonly MoveDifference[]
}

/** The state of a move, as it is stored and shown. */
export interface MoveState {
  readonly status: MoveStatus
  readonly address: string
  readonly run: MoveRun | null
  readonly outlook: MoveOutlook | null
  readonly progress: MoveProgress | null
  /** Why the last run stopped. */
  readonly trouble: string | null
  readonly counts: { readonly created: number; readonly updated: number; readonly removed: number } | null
  readonly verdict: MoveVerdict | null
  readonly questions: readonly MoveQuestion[]
}

/** This farm has records of another one that is still in use. */
export interface MoveTrial {
  readonly address: string
  /** False until a manager allows it. */
  readonly recording: boolean
}

/** An account that came along. */
export interface ArrivedAccount {
  readonly uid: number
  /** False for accounts that the other server only names, or has blocked. */
  readonly canBeInvited: boolean
}

/** The work of people since the move. An undo leaves it. */
export interface RecordedSince {
  /** Records made here. */
  readonly own: number
  /** Records that came along and were changed here. */
  readonly changed: number
  /** Records that the undo takes back. */
  readonly untouched: number
}

/** Moves another server's farm into this one while it is in use. The program that does it is given to the doors. */
export interface MoveJob {
  state(): Promise<MoveState & { readonly loggedIn: boolean }>
  arrivedAccounts(): Promise<readonly ArrivedAccount[]>
  recordedSince(): Promise<RecordedSince>
  /** All findings of the last verdict, one per line. */
  report(): Promise<string>
  /** Logs in, and finds out what a move would be. */
  look(address: string, credentials: MoveCredentials): Promise<void>
  start(run: MoveRun, answers: { readonly theirs: readonly string[]; readonly ours: readonly string[] }): Promise<void>
  pause(): Promise<void>
  /** Ends the run before its end; another login goes on with what was read. */
  end(): Promise<void>
  /** The trial as it was last read. Other servers of the farm read it every few seconds. */
  trial(): MoveTrial | null
  readTrial(): Promise<void>
  setRecording(recording: 'allowed' | 'off'): Promise<void>
  goOn(): Promise<void>
  /** Ends the work of this process; another one can go on. */
  close(): Promise<void>
}
