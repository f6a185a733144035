/** Parses coordinates, latitude first: "47.1, 8.2", "47,1 8,2", "47.1 N 8.2 E", "47°06'00\"N 8°12'00\"E". */
export function parseCoordinates(typed: string): readonly [longitude: number, latitude: number] | undefined {
  const found = [...(typed.includes('.') ? typed.replaceAll(',', ' ') : typed).matchAll(angle)].map(degreesOf)
  const [first, second] = found
  if (first === undefined || second === undefined || found.length > 2) return undefined
  const [latitude, longitude] = /[EWO]/i.test(first.side) ? [second, first] : [first, second]
  if (Math.abs(latitude.degrees) > 85 || Math.abs(longitude.degrees) > 180) return undefined
  return [longitude.degrees, latitude.degrees]
}

const number = String.raw`(\d+(?:[.,]\d+)?)`
const angle = new RegExp(
  String.raw`([-−]?)${number}\s*°?\s*(?:${number}\s*['′]\s*(?:${number}\s*["″]\s*)?)?([NSEWO](?![a-z]))?`,
  'gi',
)

function degreesOf([, sign, degrees, minutes, seconds, side = '']: RegExpMatchArray) {
  const read = (digits = '0') => Number(digits.replace(',', '.'))
  const size = read(degrees) + read(minutes) / 60 + read(seconds) / 3600
  const isBelow = sign !== '' || /[SW]/i.test(side)
  return { degrees: isBelow ? -size : size, side }
}
