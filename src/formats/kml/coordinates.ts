import type { LinePositions, PositionTexts } from '../../fields/wkt/geometry.ts'
import { mapLimits, tooManyPositions } from '../map/map-limits.ts'
import { BadShape } from '../map/shape.ts'

/** Each character can match in one place only, so that a megabyte of white space takes linear time. */
const numbersAndCommas = /,|[^\s,]+/g

/** `lon,lat,altitude` and white space between them; some programs also write a space beside a comma. */
export function positionsOfKml(text: string, feature: number): LinePositions {
  const positions: PositionTexts[] = []
  let position: string[] = []
  let isAfterComma = false
  const put = (number: string): void => {
    if (position.push(number) > 3)
      throw new BadShape(
        `"${position.join().slice(0, 60)}" has more than a longitude, a latitude and an altitude: put white space between positions`,
      )
  }
  for (const [token] of text.matchAll(numbersAndCommas)) {
    if (token === ',') {
      if (isAfterComma || position.length === 0) put('')
      isAfterComma = true
      continue
    }
    if (!isAfterComma && position.length > 0) {
      positions.push(position)
      position = []
    }
    if (positions.length >= mapLimits.positions) throw tooManyPositions(feature)
    put(token)
    isAfterComma = false
  }
  if (isAfterComma) put('')
  return position.length === 0 ? positions : [...positions, position]
}
