import { expect, it } from 'vitest'
import { farmos } from '../farmos-server/client.ts'
import { typedNotes, withTypedNotes } from '../farmos-server/farms/typed-notes.ts'
import { emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'

async function notesAfter(args: readonly string[]): Promise<string[]> {
  const source = openHillFarm()
  const ids = withTypedNotes(source)
  const place = await emptyFarm()
  const outcome = await moveIn(await farmos(source), place, args)
  expect(outcome.code, said(outcome)).toBe(0)
  const farm = await opened(place)
  const found: string[] = []
  for (const id of ids) found.push((await farm.client.read(`/log/${id}.json`)).notes?.value ?? '')
  await farm.close()
  return found
}

it('notes that the other server rendered are text again, and other tags stay as written', async () => {
  expect(await notesAfter([])).toEqual(typedNotes.map(({ text }) => text))
})

it('--notes html keeps what the other server shows', async () => {
  expect(await notesAfter(['--notes', 'html'])).toEqual(typedNotes.map(({ read }) => read))
})
