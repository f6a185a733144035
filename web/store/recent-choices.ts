import { memory } from './memory.ts'

const most = 12

/** Recent choices, the latest first: herds, paddocks, units of a crop, entries. */
export function recentChoices(of: string): readonly string[] {
  return memory.used.value[of] ?? []
}

export async function noteChoice(of: string, id: string): Promise<void> {
  const transaction = memory.database?.transaction('meta', 'readwrite', { durability: 'relaxed' })
  const before = ((await transaction?.store.get('used')) ?? {}) as typeof memory.used.value
  const used = { ...before, [of]: [id, ...(before[of] ?? []).filter((other) => other !== id)].slice(0, most) }
  memory.used.value = used
  await transaction?.store.put(used, 'used')
  await transaction?.done
}
