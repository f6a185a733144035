import { useEffect, useState } from 'preact/hooks'
import { type Answer, askServer } from '../../sync/request.ts'

interface RequestState<T> {
  /** Null while waiting, and without a path. */
  readonly answer: Answer<T> | null
  readonly again: () => void
}

/** Requests a path that is not in the copy; again when `version` changes. */
export function useRequest<T>(path: string | null, version = ''): RequestState<T> {
  const [answer, setAnswer] = useState<{ path: string; answer: Answer<T> } | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (path === null) return
    const leaving = new AbortController()
    askServer<T>(path, { signal: leaving.signal }).then((given) => {
      if (!leaving.signal.aborted) setAnswer({ path, answer: given })
    })
    return () => leaving.abort()
  }, [path, version, attempt])
  const again = () => {
    setAnswer(null)
    setAttempt(attempt + 1)
  }
  return { answer: answer?.path === path ? (answer?.answer ?? null) : null, again }
}
