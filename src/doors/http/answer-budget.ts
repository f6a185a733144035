import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { type AnswerReader, ReadBudget } from '../../storage/read-budget.ts'

const budgets = new WeakMap<FastifyRequest, ReadBudget>()
const budgetsOfOuter = new WeakMap<object, ReadBudget>()

/** The read budget of this answer and all its parts. */
export function readBudgetOf(request: FastifyRequest, { settings }: Pick<Installation, 'settings'>): ReadBudget {
  const known = budgets.get(request) ?? budgetsOfOuter.get(request.socket)
  if (known !== undefined) return known
  const budget = new ReadBudget('document', readerBehind(request), settings.readSeconds * 1000)
  budgets.set(request, budget)
  return budget
}

/** A stream may cost anything, until its reader goes. */
export const streamBudgetOf = (request: FastifyRequest): ReadBudget => new ReadBudget('stream', readerBehind(request))

/** Requests that come in by this connection are parts of the outer one, and read out of its budget. */
export function shareBudget(
  outer: FastifyRequest,
  installation: Pick<Installation, 'settings'>,
  socket: object,
): ReadBudget {
  const budget = readBudgetOf(outer, installation)
  budget.isShared = true
  budgetsOfOuter.set(socket, budget)
  return budget
}

/** A reader has gone when the connection is closed. */
function readerBehind(request: FastifyRequest): AnswerReader {
  const { socket } = request
  return {
    account: () => request.uid,
    isGone: () => socket.destroyed,
    onGone(tell) {
      if (socket.destroyed) tell()
      socket.once('close', tell)
      return () => socket.removeListener('close', tell)
    },
  }
}
