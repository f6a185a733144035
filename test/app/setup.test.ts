import { describe, expect, it } from 'vitest'
import { parsePlace, pointOf } from '../../web/screens/owner/farm-settings.ts'
import { asChanges, farmBranches, missingWords, startersIn } from '../../web/screens/setup/keep-step.tsx'
import type { LocalRecord } from '../../web/store/record.ts'

const term = (bundle: string, name: string): LocalRecord => ({
  ...{ uuid: '', type: 'term', id: '1', bundle, name, version: '1.a', fields: {} },
})

describe('the words that a farm begins with', () => {
  const chosen = { keeps: farmBranches, language: 'en', system: 'metric' } as const

  it('are equally many in every language, each once per vocabulary', () => {
    const counts = Object.entries(startersIn).map(([language, { starters }]) =>
      farmBranches.map((one) => {
        const { crops, ...lists } = starters[one]
        const sizes = [...Object.values(crops), ...Object.values(lists)].map(({ length }) => length)
        const words = missingWords({ ...chosen, keeps: [one], language }, [])
        expect(new Set(words.map(({ bundle, name }) => `${bundle} ${name}`)).size).toBe(words.length)
        return sizes
      }),
    )
    expect(counts.length).toBeGreaterThan(1)
    for (const count of counts) expect(count).toEqual(counts[0])
  })

  it('are not duplicated between branches, nor with existing terms in other letters', () => {
    const all = missingWords(chosen, [])
    expect(all.filter(({ name }) => name === 'Potato')).toHaveLength(1)
    const there = [term('farm_crops', ' pOTATO '), term('farm_quantity_units', 'KG'), term('farm_areas', 'Kale')]
    const missing = missingWords(chosen, there)
    expect(missing).toHaveLength(all.length - 2)
    expect(
      missingWords(
        chosen,
        all.map(({ bundle, name }) => term(bundle, name)),
      ),
    ).toEqual([])
  })

  it('use the units of the farm, and group crops by family', () => {
    const us = missingWords({ keeps: ['vegetables'], language: 'en', system: 'us' }, [])
    expect(us.map(({ name }) => name)).toContain('lb')
    expect(us.map(({ name }) => name)).not.toContain('kg')
    expect(asChanges(us)[0]).toMatchObject({
      bundle: 'farm_crops',
      fields: { name: 'Broccoli', crop_family: { name: 'Brassicas' } },
    })
    expect(missingWords({ ...chosen, keeps: [] }, [])).toEqual([])
  })
})

describe('coordinates', () => {
  it('are read latitude first, as maps give them', () => {
    const place = { latitude: 52.0302, longitude: 8.5325 }
    for (const text of ['52.0302, 8.5325', ' 52.0302 8.5325 ', '52,0302; 8,5325', '52,0302 8,5325'])
      expect([text, parsePlace(text)]).toEqual([text, place])
    expect(parsePlace('-33.9, 18.4')).toEqual({ latitude: -33.9, longitude: 18.4 })
    expect(pointOf(place)).toBe('POINT (8.532500 52.030200)')
  })

  it('are refused if they are incomplete, out of range or no numbers', () => {
    for (const text of ['', '52.03', 'Berlin', '95, 8', '52, 190', '52.03N 8.5E'])
      expect([text, parsePlace(text)]).toEqual([text, null])
  })
})
