import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { place } from '../../../src/words/en/place.ts'
import { me } from '../../store/local-copy.ts'
import type { LocalRecord } from '../../store/record.ts'
import { figure } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { shapesOf } from './shapes.ts'

addWords(place)

const acre = 4046.8564224
const squareFoot = 0.09290304

export const usesAcres = (): boolean => me.value?.farm.system_of_measurement === 'us'

/** "2.84 ha", or "7.02 acres" with US units; undefined without a polygon. */
export function sizeText(area: LocalRecord): string | undefined {
  const size = squareMetresOf(shapesOf(area))
  return size === 0 ? undefined : surfaceText(size)
}

/** Small areas, such as beds, in square metres or feet. */
export function surfaceText(squareMetres: number): string {
  if (usesAcres()) {
    if (squareMetres < acre / 10) return say('place.square-feet', { amount: figure(squareMetres / squareFoot) })
    return say('place.acres', { amount: withDigits(squareMetres / acre) })
  }
  if (squareMetres < 1000) return say('place.square-metres', { amount: figure(squareMetres) })
  return say('place.hectares', { amount: withDigits(squareMetres / 10_000) })
}

const withDigits = (amount: number): string => figure(amount, amount < 10 ? 2 : 1)
