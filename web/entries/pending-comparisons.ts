import { draftsUnder, dropDraft, keepDraft } from '../store/drafts.ts'

/** Saved without signal, compared with the farm after sending: a move's group members, or a harvest's lot. */
export interface PendingComparison {
  /** UUIDs; a large move has several logs. */
  readonly logs: readonly string[]
  /** Ids of the groups, and of their members known to this device; empty for a harvest. */
  readonly groups: readonly string[]
  readonly known: readonly string[]
  /** Milliseconds: when it was recorded. The oldest is asked about first. */
  readonly at: number
}

const beginning = 'compare '
const keyOf = ({ logs }: Pick<PendingComparison, 'logs'>): string => `${beginning}${logs[0]}`

export async function pendingComparisons(): Promise<readonly PendingComparison[]> {
  const moves = (await draftsUnder<PendingComparison>(beginning)).map(([, move]) => move)
  return moves.toSorted((one, other) => one.at - other.at)
}

export async function compareLater(move: Omit<PendingComparison, 'at'>): Promise<void> {
  await keepDraft(keyOf(move), { ...move, at: Date.now() })
}

/** Adds assets that the user has decided on to the known ones. */
export async function compareAgain(move: PendingComparison, answered: readonly string[]): Promise<void> {
  await keepDraft(keyOf(move), { ...move, known: [...move.known, ...answered] })
}

export async function dropComparison(move: PendingComparison): Promise<void> {
  await dropDraft(keyOf(move))
}

/** Assets that joined before the move, by logs that this device did not have. */
export function joinedBefore(
  { known }: Pick<PendingComparison, 'known'>,
  membersThen: readonly string[],
): readonly string[] {
  return membersThen.filter((id) => !known.includes(id))
}
