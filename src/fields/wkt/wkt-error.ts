/** What is wrong with a Well-Known Text, in words for whoever wrote it; `position` counts characters from 1. */
export class WktError extends Error {
  readonly position: number

  constructor(problem: string, position: number) {
    super(`${problem} (at character ${position})`)
    this.name = 'WktError'
    this.position = position
  }
}
