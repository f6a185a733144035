import { Refusal } from '../refusal.ts'

/** The command line itself was wrong: exit code 2, where other refusals exit with 1. */
export class Misuse extends Refusal {
  constructor(sentence: string) {
    super('bad-request', sentence)
    this.name = 'Misuse'
  }
}
