import { useLogs } from '../look/use-logs.ts'
import { areasNamedIn, idsIn, type KeptRecord, timeOf } from '../store/record.ts'

/** Moves that are planned and not done. */
export interface PlannedMoves {
  readonly of: (asset: string) => KeptRecord | undefined
  readonly to: (area: string) => KeptRecord | undefined
}

const mostPlans = 1000

export function usePlannedMoves(): PlannedMoves {
  const plans = useLogs({ done: false, limit: mostPlans }) ?? []
  const moves = plans.filter(({ fields }) => fields.movement !== undefined).toReversed()
  return {
    of: (asset) => moves.find(({ fields }) => idsIn(fields.asset).includes(asset)),
    to: (area) => moves.find((move) => areasNamedIn(move).includes(area)),
  }
}

export const isLate = (plan: KeptRecord, today: number): boolean => timeOf(plan) < today
