/** Every asset type, under the name that clients know it by. A new one is its file and one line here. */
export { animal } from './animal.ts'
export { compost } from './compost.ts'
export { equipment } from './equipment.ts'
export { group } from './group.ts'
export { planting } from './planting.ts'
export { sensor } from './sensor.ts'
