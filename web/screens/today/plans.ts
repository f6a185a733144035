import { idsIn, type LocalRecord, timeOf } from '../../store/record.ts'

interface Plans {
  readonly late: readonly LocalRecord[]
  readonly due: readonly LocalRecord[]
  /** Plans of the coming days, the nearest first. */
  readonly next: readonly LocalRecord[]
}

interface Present {
  /** Start of the farm's day, and of the next one. */
  readonly today: number
  readonly tomorrow: number
  /** Account whose tasks come first. */
  readonly account: string
}

/** Sorts plans by urgency: own tasks first, then anybody's, then those of others; each by time. */
export function plansOf(pending: readonly LocalRecord[], present: Present): Plans {
  const { today, tomorrow, account } = present
  const mineFirst = (one: LocalRecord, other: LocalRecord) =>
    distanceTo(account, one) - distanceTo(account, other) || timeOf(one) - timeOf(other)
  const between = (from: number, until: number) =>
    pending.filter((log) => timeOf(log) >= from && timeOf(log) < until).sort(mineFirst)
  return {
    late: between(Number.NEGATIVE_INFINITY, today),
    due: between(today, tomorrow),
    next: pending.filter((log) => timeOf(log) >= tomorrow).sort((one, other) => timeOf(one) - timeOf(other)),
  }
}

export function isAssignedTo(account: string, { fields }: LocalRecord): boolean {
  return idsIn(fields.log_owner).includes(account)
}

function distanceTo(account: string, { fields }: LocalRecord): number {
  const owners = idsIn(fields.log_owner)
  return owners.includes(account) ? 0 : owners.length === 0 ? 1 : 2
}
