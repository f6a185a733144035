import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/loading.tsx'
import type { Answer, Failure } from '../../sync/request.ts'
import { administer } from './administer.ts'
import { say } from './say.ts'

export interface Asked<T> {
  readonly answer: Answer<T> | null
  readonly again: () => Promise<void>
}

/** What the server tells of that address, for those who run the farm. */
export function useAsked<T>(path: string): Asked<T> {
  const [answer, setAnswer] = useState<Answer<T> | null>(null)
  const again = async () => setAnswer(await administer<T>(path))
  useEffect(() => {
    let wanted = true
    setAnswer(null)
    administer<T>(path).then((came) => {
      if (wanted) setAnswer(came)
    })
    return () => {
      wanted = false
    }
  }, [path])
  return { answer, again }
}

interface AnswerOfProps<T> {
  readonly asked: Asked<T>
  readonly children: (body: T) => JSX.Element
}

/** The answer once it is there, or why it is not. */
export function AnswerOf<T>({ asked: { answer, again }, children }: AnswerOfProps<T>): JSX.Element {
  if (answer === null) return <Loading />
  return answer.failure === null ? children(answer.body) : <Failed failure={answer} onRetry={again} />
}

/** What the server said of a change that it refused, in its own words where it has some. */
export const whyNot = ({ failure, detail }: Failure): string => detail || say(`shell.failed.${failure}`)
