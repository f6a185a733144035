/**
 * @typedef {import('../ground/dice.mjs').Dice} Dice
 * @typedef {import('../../src/fields/field.ts').Field} Field
 * @typedef {import('../../src/farm/farm.ts').Farm} Farm
 */

/**
 * A valid value of the field, so that requests get as far as possible.
 * @type {(field: Field, farm: Farm, dice: Dice) => any}
 */
export function tameValue(field, farm, dice) {
  if ('many' in field && field.many) {
    return Array.from({ length: dice.whole(0, 3) }, () => tameOne(field, farm, dice)).filter((one) => one !== null)
  }
  return tameOne(field, farm, dice)
}

/** @type {(field: Field, farm: Farm, dice: Dice) => any} */
function tameOne(field, farm, dice) {
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'rich-text':
      return `Words ${dice.whole(1, 500)}`
    case 'timestamp':
      return dice.whole(0, 4_000_000_000)
    case 'period':
      return { value: '1600000000', value2: String(dice.whole(1_600_000_000, 1_700_000_000)) }
    case 'yes-no':
      return dice.pick(['1', '0'])
    case 'whole':
      return dice.whole(-200, 200)
    case 'decimal':
      return `${dice.whole(-500, 500)}.${dice.whole(0, 99)}`
    case 'choice':
      return dice.pick([...(farm.lists[field.list] ?? []).map(({ value }) => value), null])
    case 'reference':
      return field.to === 'term' ? { name: `Named ${dice.whole(1, 40)}` } : null
    case 'geometry':
      return `POINT (${dice.whole(-180, 180)} ${dice.whole(-90, 90)})`
    case 'attachment':
      return `data:image/png;base64,${dice.bytes(dice.whole(1, 200)).toString('base64')}`
    case 'part':
      return Object.fromEntries(
        Object.entries(field.fields)
          .filter(() => dice.happens(0.6))
          .map(([name, own]) => [name, tameValue(own, farm, dice)]),
      )
  }
}
