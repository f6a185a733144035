import { draftsUnder, dropDraft, keepDraft } from '../store/drafts.ts'

/** A move of a group whose members, as this device knew them, are compared with the farm's once it is sent; or a harvest whose lot is. */
export interface PendingComparison {
  /** UUIDs: several where very many moved. */
  readonly logs: readonly string[]
  /** Ids of the groups, and of all that this device knew to be in them; none of a harvest. */
  readonly groups: readonly string[]
  readonly known: readonly string[]
  /** When it was recorded on this device, in milliseconds: the first is asked about first. */
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

/** Whoever was asked about is known from now on. */
export async function compareAgain(move: PendingComparison, answered: readonly string[]): Promise<void> {
  await keepDraft(keyOf(move), { ...move, known: [...move.known, ...answered] })
}

export async function dropComparison(move: PendingComparison): Promise<void> {
  await dropDraft(keyOf(move))
}

/** Who had joined before it moved, by logs that this device did not have then. */
export function joinedBefore(
  { known }: Pick<PendingComparison, 'known'>,
  membersThen: readonly string[],
): readonly string[] {
  return membersThen.filter((id) => !known.includes(id))
}
