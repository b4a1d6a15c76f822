//! A chart of readings over time, as SVG: lines, dots, and the band of what is usual. The table of the same readings stands beside
//! it, and its description says in words what it shows.

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
/// Room at the left for the values, and at the bottom for the dates.
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 36.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;
/// With more readings than these a line is easier to read than dots.
const MOST_DOTS: usize = 60;
/// Values beyond are no measurement of anybody, and their differences could not be drawn.
const LARGEST: f64 = 1e15;

/// One reading: when, in microseconds since 1970; blood pressure has two values.
#[derive(Clone, Copy, Debug)]
pub struct ChartReading {
    pub at: i64,
    pub value: f64,
    pub second: Option<f64>,
}

/// What a chart is about.
#[derive(Clone, Copy, Debug)]
pub struct ChartSubject<'s> {
    pub title: &'s str,
    pub unit: &'s str,
    /// The first and the last date, as people read them.
    pub from: &'s str,
    pub to: &'s str,
    /// From which value to which is usual; either may be unknown.
    pub usual: (Option<f64>, Option<f64>),
}

/// A chart as the page draws it.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// What it shows, in a sentence or two.
    pub description: String,
    /// The lines, each as the points of a polyline.
    pub lines: Vec<String>,
    pub dots: Vec<(String, String)>,
    /// Top and height of the band of what is usual.
    pub band: Option<(String, String)>,
    pub highest: String,
    pub lowest: String,
    pub from: String,
    pub to: String,
}

impl Chart {
    /// The chart of these readings; none where fewer than two can be drawn.
    #[must_use]
    pub fn of(subject: ChartSubject<'_>, readings: &[ChartReading]) -> Option<Self> {
        let can_be_drawn = |value: f64| value.is_finite() && value.abs() <= LARGEST;
        let mut drawn: Vec<ChartReading> = readings.iter().copied().filter(|one| can_be_drawn(one.value)).collect();
        drawn.sort_by_key(|one| one.at);
        let [first, .., last] = drawn.as_slice() else { return None };
        let seconds =
            || drawn.iter().filter_map(|one| Some((one.at, one.second.filter(|value| can_be_drawn(*value))?)));
        let (low_usual, high_usual) = subject.usual;
        let marks = [low_usual, high_usual].into_iter().flatten().filter(|value| can_be_drawn(*value));
        let all = || drawn.iter().map(|one| one.value).chain(seconds().map(|(_, value)| value));
        let (lowest, highest) = bounds(all());
        let scale = Scale::new((first.at, last.at), bounds(all().chain(marks)));
        let line = |points: &mut dyn Iterator<Item = (i64, f64)>| {
            points.map(|(at, value)| format!("{},{}", scale.x(at), scale.y(value))).collect::<Vec<_>>().join(" ")
        };
        let firsts: Vec<(i64, f64)> = drawn.iter().map(|one| (one.at, one.value)).collect();
        let mut lines = vec![line(&mut firsts.iter().copied())];
        if seconds().count() > 1 {
            lines.push(line(&mut seconds()));
        }
        let dots = match drawn.len() <= MOST_DOTS {
            true => firsts.iter().copied().chain(seconds()).map(|(at, value)| (scale.x(at), scale.y(value))).collect(),
            false => Vec::new(),
        };
        Some(Self {
            title: subject.title.to_owned(),
            description: description(subject, drawn.len(), (lowest, highest)),
            lines,
            dots,
            band: scale.band(low_usual, high_usual),
            highest: plain(scale.high),
            lowest: plain(scale.low),
            from: subject.from.to_owned(),
            to: subject.to.to_owned(),
        })
    }
}

fn description(subject: ChartSubject<'_>, count: usize, (lowest, highest): (f64, f64)) -> String {
    let ChartSubject { unit, from, to, usual, .. } = subject;
    let (lowest, highest) = (plain(lowest), plain(highest));
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let usual = match usual {
        (Some(low), Some(high)) => format!(" Usual is from {} to {}.", plain(low), plain(high)),
        (Some(low), None) => format!(" Usual is {} and more.", plain(low)),
        (None, Some(high)) => format!(" Usual is up to {}.", plain(high)),
        (None, None) => String::new(),
    };
    format!("{count} readings, the first {from}, the last {to}: from {lowest} to {highest}{unit}.{usual}")
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// A number without digits that say nothing.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// From times and values to places on the drawing.
struct Scale {
    from: i64,
    to: i64,
    low: f64,
    high: f64,
}

impl Scale {
    fn new((from, to): (i64, i64), (low, high): (f64, f64)) -> Self {
        // A line that is level stands in the middle.
        let room = if high > low { 0.0 } else { 1.0 };
        Self { from, to, low: low - room, high: high + room }
    }

    fn x(&self, at: i64) -> String {
        #[expect(clippy::cast_precision_loss, reason = "a drawing has fewer places than a float has digits")]
        let (behind, span) = ((at - self.from) as f64, (self.to - self.from) as f64);
        let share = if span > 0.0 { behind / span } else { 0.5 };
        format!("{:.1}", share.mul_add(WIDTH - LEFT - RIGHT, LEFT))
    }

    fn y(&self, value: f64) -> String {
        format!("{:.1}", self.height_of(value))
    }

    fn height_of(&self, value: f64) -> f64 {
        let share = (self.high - value.clamp(self.low, self.high)) / (self.high - self.low);
        share.mul_add(HEIGHT - TOP - BOTTOM, TOP)
    }

    /// The band of what is usual, as far as it is on the drawing.
    fn band(&self, low: Option<f64>, high: Option<f64>) -> Option<(String, String)> {
        if low.is_none() && high.is_none() {
            return None;
        }
        let (top, bottom) = (self.height_of(high.unwrap_or(self.high)), self.height_of(low.unwrap_or(self.low)));
        (bottom > top).then(|| (format!("{top:.1}"), format!("{:.1}", bottom - top)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: ChartSubject<'_> =
        ChartSubject { title: "Weight", unit: "kg", from: "1 May 2026", to: "3 May 2026", usual: (None, None) };

    fn readings(values: &[f64]) -> Vec<ChartReading> {
        let one = |(at, value): (usize, &f64)| ChartReading { at: at as i64 * 1_000_000, value: *value, second: None };
        values.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_line_goes_from_the_first_reading_to_the_last() {
        let chart = Chart::of(SUBJECT, &readings(&[64.0, 66.0, 65.0])).unwrap();
        assert_eq!(chart.lines, ["64.0,204.0 346.0,12.0 628.0,108.0"]);
        assert_eq!((chart.dots.len(), chart.band), (3, None));
        let told = "3 readings, the first 1 May 2026, the last 3 May 2026: from 64 to 66 kg.";
        assert_eq!(chart.description, told);
    }

    #[test]
    fn readings_in_any_order_are_drawn_in_that_of_time() {
        let mut all = readings(&[64.0, 66.0, 65.0]);
        all.reverse();
        let drawn = |all: &[ChartReading]| Chart::of(SUBJECT, all).unwrap().lines;
        assert_eq!(drawn(&all), drawn(&readings(&[64.0, 66.0, 65.0])));
    }

    #[test]
    fn one_reading_is_no_chart_and_numbers_that_are_none_are_not_drawn() {
        assert!(Chart::of(SUBJECT, &readings(&[64.0])).is_none());
        assert!(Chart::of(SUBJECT, &readings(&[64.0, f64::NAN, f64::INFINITY, 1e300])).is_none());
        let level = Chart::of(SUBJECT, &readings(&[64.0, 64.0])).unwrap();
        assert_eq!(level.lines, ["64.0,108.0 628.0,108.0"], "a level line stands in the middle");
    }

    #[test]
    fn what_is_usual_is_a_band_within_the_drawing() {
        let subject = ChartSubject { usual: (Some(20.0), Some(42.0)), ..SUBJECT };
        let chart = Chart::of(subject, &readings(&[30.0, 48.0])).unwrap();
        assert_eq!((chart.lowest.as_str(), chart.highest.as_str()), ("20", "48"));
        assert_eq!(chart.band, Some(("53.1".into(), "150.9".into())));
        assert!(chart.description.ends_with("Usual is from 20 to 42."));
        let odd = ChartSubject { usual: (Some(f64::NAN), None), ..SUBJECT };
        assert!(Chart::of(odd, &readings(&[30.0, 48.0])).is_some());
    }

    #[test]
    fn many_readings_are_a_line_without_dots() {
        let chart = Chart::of(SUBJECT, &readings(&[1.0; 100])).unwrap();
        assert!(chart.dots.is_empty());
    }
}
