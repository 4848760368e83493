/** Phrases as a list that is easy to read and to add to: separated by commas, over any number of lines. */
export function phrases(list: string): readonly string[] {
  return list
    .split(',')
    .map((phrase) => phrase.replace(/\s+/g, ' ').trim())
    .filter((phrase) => phrase !== '');
}
