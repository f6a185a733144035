import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { generation, logs } from '../../store/copy.ts'
import type { LogQuery } from '../../store/log-query.ts'
import { timeOf } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'

type Query = Omit<LogQuery, 'limit'>

interface Loaded {
  readonly logs: readonly KeptRecord[]
  /** Whether the copy has no more of them. */
  readonly isWhole: boolean
}

interface LogPages extends Loaded {
  readonly more: () => void
}

const pageLength = 200

/** What was read of the list that was shown last: whoever comes back finds it as long as it was. */
let last: { readonly asked: string; readonly loaded: Loaded } | null = null

/** Logs of the copy, page by page as they are asked for; null until the first is there. */
export function useLogPages(query: Query): LogPages | null {
  const asked = JSON.stringify(query)
  const commit = generation.value
  const [shown, setShown] = useState(last)
  const reading = useRef(false)
  const keep = useCallback(
    (loaded: Loaded) => {
      last = { asked, loaded }
      setShown(last)
    },
    [asked],
  )
  useEffect(() => {
    let wanted = true
    const known = last?.asked === asked ? last.loaded.logs.length : 0
    firstPages(JSON.parse(asked) as Query, Math.max(known, pageLength)).then((loaded) => wanted && keep(loaded))
    return () => {
      wanted = false
    }
  }, [asked, commit, keep])
  const more = useCallback(() => {
    if (last?.asked !== asked || last.loaded.isWhole || reading.current) return
    reading.current = true
    pageBehind(JSON.parse(asked) as Query, last.loaded.logs).then((loaded) => {
      reading.current = false
      if (last?.asked === asked) keep(loaded)
    })
  }, [asked, keep])
  return shown?.asked === asked ? { ...shown.loaded, more } : null
}

async function firstPages(query: Query, limit: number): Promise<Loaded> {
  const found = await logs({ ...query, limit })
  return { logs: found, isWhole: found.length < limit }
}

/** The last second is read again: there may be more of it than was shown. */
async function pageBehind(query: Query, known: readonly KeptRecord[]): Promise<Loaded> {
  const end = known.at(-1)
  if (end === undefined) return { logs: known, isWhole: true }
  const second = timeOf(end)
  const again = known.filter((log) => timeOf(log) === second).length
  const limit = pageLength + again
  const found = await logs({ ...query, before: second + 1, limit })
  const seen = new Set(known.map(({ uuid }) => uuid))
  return { logs: [...known, ...found.filter(({ uuid }) => !seen.has(uuid))], isWhole: found.length < limit }
}
