/**
 * @typedef {import('../ground/dice.mjs').Dice} Dice
 * @typedef {{ areas: string[], groups: string[], animals: string[] }} Ground what the records refer to
 */

const logTypes = ['farm_activity', 'farm_observation', 'farm_harvest', 'farm_input', 'farm_maintenance']
const units = ['kg', 'litre', 'head', 'bale']
/** One chunk of a stored file is 256 KiB. */
const moreThanAChunk = 300_000

const reference = (/** @type {string} */ id) => ({ id })

/** @param {Dice} dice @param {'image/png' | 'text/plain'} type */
function attachment(dice, type) {
  const bytes = dice.bytes(dice.happens(0.08) ? moreThanAChunk : dice.whole(20, 2_000))
  return `data:${type};base64,${bytes.toString('base64')}`
}

/** A log with every field that a log can have. @param {Dice} dice @param {Ground} ground @param {string} marker */
export function richLog(dice, ground, marker) {
  return {
    type: dice.pick(logTypes),
    name: marker,
    timestamp: dice.whole(1_500_000_000, 1_700_000_000),
    ...changesOf(dice, ground, marker),
  }
}

/** Possible changes of a log. @param {Dice} dice @param {Ground} ground @param {string} marker */
export function changesOf(dice, ground, marker) {
  const categories = dice.happens(0.5) ? [`only in ${marker} ${dice.whole(1, 1e6)}`, 'Field work'] : ['Field work']
  return {
    done: dice.happens(0.7) ? 1 : 0,
    notes: `What happened at ${marker}: ${'as always, '.repeat(dice.whole(0, 30))}${dice.whole(1, 1e9)}`,
    asset: dice.some(ground.animals, 3).map(reference),
    log_category: categories.map((name) => ({ name })),
    movement: { area: dice.some(ground.areas, 2).map(reference) },
    membership: { group: dice.some(ground.groups, 1).map(reference) },
    inventory: dice.some(ground.animals, 2).map((id) => ({ asset: { id }, value: `${dice.whole(-50, 50)}.25` })),
    quantity: Array.from({ length: dice.whole(0, 4) }, () => ({
      measure: dice.pick(['weight', 'count', 'volume']),
      value: `${dice.whole(0, 999)}.${dice.whole(1, 9)}`,
      unit: { name: dice.pick(units) },
      label: `row ${dice.whole(1, 99)}`,
    })),
    files: dice.happens(0.3) ? [attachment(dice, 'text/plain')] : [],
    images: dice.happens(0.3) ? [attachment(dice, 'image/png')] : [],
  }
}

/** @param {Dice} dice @param {string} marker */
export const richAnimal = (dice, marker) => ({
  type: 'animal',
  name: marker,
  animal_type: { name: dice.pick(['Sheep', 'Goat', 'Alpaca']) },
  description: `It came in lot ${dice.whole(1, 1e6)}`,
  flags: dice.some(['monitor', 'organic', 'review'], 2),
  images: dice.happens(0.5) ? [attachment(dice, 'image/png')] : [],
})

/** @param {Dice} dice @param {string} marker */
export const richTerm = (dice, marker) => ({
  vocabulary: 'farm_materials',
  name: marker,
  description: `Kept in shed ${dice.whole(1, 1e6)}`,
})
