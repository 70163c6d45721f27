/** Sample images. */

export const SAMPLE_NAMES = ['landscape', 'test_chart', 'portrait'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

export const SAMPLE_LABELS: Readonly<Record<SampleName, string>> = {
  landscape: 'Landscape',
  test_chart: 'Test chart',
  portrait: 'Portrait',
};
