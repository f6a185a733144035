import { describe, expect, it } from 'vitest'
import { farmos, withToken } from './client.ts'
import { hillFarm } from './farms/hill-farm.ts'
import { typedNotes, withTypedNotes } from './farms/typed-notes.ts'

describe('notes at a farmOS 1.x', async () => {
  const farm = hillFarm()
  const ids = withTypedNotes(farm)
  const visitor = await withToken(await farmos(farm))

  it.each(typedNotes.map(({ typed, read }, nth) => ({ typed, read, id: ids[nth] })))(
    'typed $typed',
    async ({ read, id }) => {
      expect((await visitor.get(`/log/${id}.json`)).body.notes).toEqual({ value: read, format: 'farm_format' })
    },
  )
})
