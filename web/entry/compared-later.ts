import { dropDraft, keepDraft, readDraft } from '../store/drafts.ts'

/** A move of a group whose members, as this device knew them, are compared with the farm's once it is sent; or a harvest whose lot is. */
export interface Compared {
  /** UUIDs: several where very many moved. */
  readonly logs: readonly string[]
  /** Ids of the groups, and of all that this device knew to be in them; none of a harvest. */
  readonly groups: readonly string[]
  readonly known: readonly string[]
}

const key = 'moves to compare'

export async function toCompare(): Promise<readonly Compared[]> {
  return (await readDraft<readonly Compared[]>(key)) ?? []
}

export async function compareLater(move: Compared): Promise<void> {
  await keepDraft(key, [...(await toCompare()), move])
}

/** Whoever was asked about is known from now on. */
export async function compareAgain(move: Compared, answered: readonly string[]): Promise<void> {
  const others = (await toCompare()).filter(({ logs }) => logs[0] !== move.logs[0])
  await keepDraft(key, [...others, { ...move, known: [...move.known, ...answered] }])
}

export async function isCompared({ logs }: Compared): Promise<void> {
  const others = (await toCompare()).filter((move) => move.logs[0] !== logs[0])
  await (others.length === 0 ? dropDraft(key) : keepDraft(key, others))
}

/** Who had joined before it moved, by logs that this device did not have then. */
export function joinedBefore(move: Compared, membersThen: readonly string[]): readonly string[] {
  return membersThen.filter((id) => !move.known.includes(id))
}
