import { Refusal } from '../refusal.ts'

/** The work was done, but not all is as it was: exit code 3. */
export class Differing extends Refusal {
  constructor(sentence: string) {
    super('conflict', sentence)
    this.name = 'Differing'
  }
}
