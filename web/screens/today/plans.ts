import { idsIn, type KeptRecord, timeOf } from '../../store/record.ts'

interface Plans {
  readonly late: readonly KeptRecord[]
  readonly due: readonly KeptRecord[]
  /** Of the days to come, the nearest first. */
  readonly next: readonly KeptRecord[]
}

interface Present {
  /** When the farm's day began, and when the next one begins. */
  readonly today: number
  readonly tomorrow: number
  /** Whose tasks come first. */
  readonly account: string
}

/** Sorts what is planned by how much it presses: one's own first, then by time. */
export function plansOf(pending: readonly KeptRecord[], present: Present): Plans {
  const { today, tomorrow, account } = present
  const mineFirst = (one: KeptRecord, other: KeptRecord) =>
    Number(isAssignedTo(account, other)) - Number(isAssignedTo(account, one)) || timeOf(one) - timeOf(other)
  const between = (from: number, until: number) =>
    pending.filter((log) => timeOf(log) >= from && timeOf(log) < until).sort(mineFirst)
  return {
    late: between(Number.NEGATIVE_INFINITY, today),
    due: between(today, tomorrow),
    next: pending.filter((log) => timeOf(log) >= tomorrow).sort((one, other) => timeOf(one) - timeOf(other)),
  }
}

export function isAssignedTo(account: string, { fields }: KeptRecord): boolean {
  return idsIn(fields.log_owner).includes(account)
}
