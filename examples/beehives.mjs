/**
 * Beekeeping: hives as assets, apiaries as areas, and what a beekeeper notes when opening a hive.
 *
 *     furrow serve --module examples/beehives.mjs
 *
 * @type {import('furrow').FarmModule}
 */
export default function beehives(farm, kit) {
  const withBreeds = kit.withVocabulary(farm, 'bee_breeds', {
    label: 'Bee breed',
    plural: 'Bee breeds',
    title: 'Bee Breeds',
    newer: { name: 'bee_breed' },
    description: 'What bees are kept',
    fields: {},
    firstTerms: ['Buckfast', 'Carniolan', 'Italian'],
  })
  const withSystems = kit.withChoices(withBreeds, 'hive_systems', [
    { value: 'langstroth', label: 'Langstroth' },
    { value: 'dadant', label: 'Dadant' },
    { value: 'warre', label: 'Warré' },
    { value: 'top_bar', label: 'Top bar' },
  ])
  const withHives = kit.withAssetType(withSystems, 'hive', {
    label: 'Hive',
    plural: 'Hives',
    fields: {
      ...kit.standardAssetFields,
      parent: kit.parent,
      bee_breed: kit.termsOf('Breed', 'bee_breeds'),
      hive_system: kit.choice('System', 'hive_systems'),
      queen_marked: kit.yesNo('Queen is marked'),
      queen_hatched: kit.timestamp('Queen hatched', { newer: { name: 'queen_birthdate' } }),
    },
  })
  const withInspections = kit.withLogFields(
    withHives,
    { brood_frames: kit.whole('Frames with brood', { min: 0 }), queen_seen: kit.yesNo('Queen seen') },
    ['farm_activity', 'farm_observation'],
  )
  const withApiaries = kit.withAreaType(withInspections, 'apiary', 'Apiary')
  const withSwarms = kit.withFlag(withApiaries, 'swarming', 'About to swarm')
  return kit.withInfo(withSwarms, 'beekeeping', { frames_per_box: 10 })
}
