//! A metric that is read when somebody asks for it, and how it is written.

use super::catalogue::{Description, MetricKind};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use std::fmt::Error;
use store::distribution::Spread;

/// One value of a metric, with its labels.
#[derive(Debug)]
pub struct Reading {
    metric: Description,
    labels: Vec<(&'static str, String)>,
    value: ReadingValue,
}

#[derive(Debug)]
pub enum ReadingValue {
    Count(u64),
    Level(f64),
    /// Of microseconds, told in seconds.
    Seconds(Spread),
    /// Of plain numbers.
    Numbers(Spread),
    /// Its labels are all that it says.
    Presence,
}

impl Reading {
    #[must_use]
    pub fn new(metric: Description, labels: Vec<(&'static str, String)>, value: ReadingValue) -> Self {
        Self { metric, labels, value }
    }

    /// A level without labels.
    #[must_use]
    pub fn level(metric: Description, value: f64) -> Self {
        Self::new(metric, Vec::new(), ReadingValue::Level(value))
    }

    fn encode(&self, metric: &mut MetricEncoder<'_>) -> Result<(), Error> {
        if let ReadingValue::Presence = self.value {
            return metric.encode_info(&self.labels);
        }
        if self.labels.is_empty() {
            return self.value.encode(metric);
        }
        self.value.encode(&mut metric.encode_family(&self.labels)?)
    }
}

impl ReadingValue {
    fn encode(&self, metric: &mut MetricEncoder<'_>) -> Result<(), Error> {
        match self {
            Self::Count(count) => metric.encode_counter::<NoLabelSet, _, u64>(count, None),
            Self::Level(level) => metric.encode_gauge(level),
            Self::Seconds(spread) => histogram(metric, spread, 1e6),
            Self::Numbers(spread) => histogram(metric, spread, 1.0),
            Self::Presence => Ok(()),
        }
    }
}

fn histogram(metric: &mut MetricEncoder<'_>, spread: &Spread, per_unit: f64) -> Result<(), Error> {
    let bounds = spread.bounds.iter().map(|bound| *bound as f64 / per_unit).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(spread.counts.iter().copied()).collect();
    metric.encode_histogram::<NoLabelSet>(spread.sum as f64 / per_unit, spread.count(), &buckets, None)
}

/// Readings that were taken together; those of one metric stand beside each other.
#[derive(Debug)]
pub(super) struct Readings(pub(super) Vec<Reading>);

impl Collector for Readings {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        for of_one in self.0.chunk_by(|one, other| one.metric == other.metric) {
            let Some(first) = of_one.first() else { continue };
            let Description { name, help, sort, .. } = first.metric;
            let sort = match sort {
                MetricKind::Counter => MetricType::Counter,
                MetricKind::Gauge => MetricType::Gauge,
                MetricKind::Histogram => MetricType::Histogram,
                MetricKind::Info => MetricType::Info,
            };
            let mut metric = encoder.encode_descriptor(name, help, None, sort)?;
            of_one.iter().try_for_each(|reading| reading.encode(&mut metric))?;
        }
        Ok(())
    }
}
