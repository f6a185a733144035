import { useEffect, useState } from 'preact/hooks'
import { assets, logs, terms } from '../store/copy.ts'
import { fieldsUsedIn } from './order.ts'
import type { Subject } from './subject.ts'

const enough = 200

/** The fields that this farm uses of such records, and this record; null as long as that is looked up. */
export function useUsedFields({ type, bundle, record }: Subject): ReadonlySet<string> | null {
  const [used, setUsed] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    let isWanted = true
    recordsOf({ type, bundle }).then((records) => {
      if (isWanted) setUsed(fieldsUsedIn(record === null ? records : [...records, record]))
    })
    return () => {
      isWanted = false
    }
  }, [type, bundle])
  return used
}

async function recordsOf({ type, bundle }: Pick<Subject, 'type' | 'bundle'>) {
  if (type === 'log') return logs({ bundles: [bundle], limit: enough })
  const all = type === 'asset' ? assets.value : terms.value
  return [...all.values()].filter((record) => record.bundle === bundle)
}
