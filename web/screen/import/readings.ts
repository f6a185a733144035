import type { SheetFault } from './answers.ts'

/** What can be said of how something is to be read, as it stands in the address. */
export const readings = [
  ...(['sep=', 'sep=comma', 'sep=semicolon', 'sep=tab'] as const),
  ...(['decimal=', 'decimal=.', 'decimal=,'] as const),
  ...(['dates=', 'dates=dmy', 'dates=mdy', 'dates=ymd'] as const),
  ...(['match=', 'match=tag', 'match=name'] as const),
  ...(['empty=', 'empty=clear'] as const),
  ...(['overwrite=', 'overwrite=1'] as const),
  ...(['done=', 'done=1', 'done=0', 'done=day'] as const),
] as const

export type Reading = (typeof readings)[number] | 'far=ok'
export type ReadingName = 'sep' | 'decimal' | 'dates' | 'match' | 'empty' | 'overwrite' | 'done'

export const saidBy = (reading: Reading): string => reading.slice(reading.indexOf('=') + 1)
export const nameOf = (reading: Reading): string => reading.slice(0, reading.indexOf('='))

export const readingsOf = (name: ReadingName): readonly (typeof readings)[number][] =>
  readings.filter((reading) => nameOf(reading) === name)

/** Something that only a person knows. */
export interface Question {
  readonly fault: Pick<SheetFault, 'column' | 'value'> & { readonly row: number }
  readonly answers: readonly Reading[]
}

type Doubtful = Pick<SheetFault, 'column' | 'value' | 'allowed'> & { readonly row: number }

/** What the farm asks, each once: an answer holds for the whole sheet. */
export function questionsIn(faults: readonly Doubtful[]): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const fault of faults) {
    const answers = answersIn(fault.allowed ?? [])
    const [first] = answers
    if (first !== undefined && !questions.has(nameOf(first))) questions.set(nameOf(first), { fault, answers })
  }
  return [...questions.values()]
}

export const answersIn = (allowed: readonly string[]): readonly Reading[] =>
  [...readings, 'far=ok' as const].filter((reading) => allowed.includes(reading))

/** What is said behind that is for scripts. */
const advice = /[;:] (?:say|rename it|for several of its parts|use the name)\b.*$| \(the property .*$/s

export const forPeople = (message: string): string => message.replace(advice, '')
