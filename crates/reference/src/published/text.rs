//! Turns a data file into a source, or says what is wrong with the file.

use zvmlab::measurement::Figure;
use zvmlab::scenario::Scenario;

use super::file::{FigureText, FileText, OrderText, RatioText, RunText};
use super::{Kind, Order, PublishedFigure, Ratio, Reference, Run, Tolerance};

/// The source that a data file describes, checked.
///
/// # Errors
/// The first error in it.
pub(super) fn checked(file: FileText) -> Result<Reference, String> {
    let head = Head { id: &file.id, title: &file.source.title };
    let mut runs: Vec<Run> = Vec::new();
    for text in file.run {
        let run = text.read(&head)?;
        if runs.iter().any(|other| other.id == run.id) {
            return Err(format!("{}: stands there twice", run.id));
        }
        runs.push(run);
    }
    let ratios = file.ratio.into_iter().map(|text| text.read(&head, &runs)).collect::<Result<Vec<Ratio>, String>>()?;
    let mut orders = Vec::new();
    for text in file.order {
        orders.extend(text.read(&head, &runs)?);
    }
    for id in file.volume_log.iter().map(|log| &log.run).chain(file.excluded.iter().map(|excluded| &excluded.run)) {
        among(&runs, id)?;
    }
    Ok(Reference {
        id: file.id,
        title: file.title,
        source: file.source,
        machine: file.machine,
        assumption: file.assumption,
        chosen_hosts: file.chosen_hosts,
        runs,
        ratios,
        orders,
        volume_logs: file.volume_log,
        excluded: file.excluded,
    })
}

/// What every part of a file needs to know of the file.
struct Head<'a> {
    id: &'a str,
    /// Title of the page.
    title: &'a str,
}

fn among<'a>(runs: &'a [Run], id: &str) -> Result<&'a Run, String> {
    runs.iter().find(|run| run.id == id).ok_or_else(|| format!("{id}: there is no such run"))
}

impl RunText {
    fn read(self, head: &Head) -> Result<Run, String> {
        let id = self.id;
        let wrong = |error: String| format!("{id}: scenario: {error}");
        let scenario = match self.read {
            Some(bytes) => borsh::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?,
            None => Scenario::parse(&self.scenario).map_err(|error| wrong(error.to_string()))?,
        };
        let mut figures: Vec<PublishedFigure> = Vec::new();
        let own = self.publication.as_deref().map(|title| Head { title, ..*head });
        let head = own.as_ref().unwrap_or(head);
        for text in self.figures {
            let place = format!("{id}: {}", text.figure);
            let figure = text.read(head, &id).map_err(|message| format!("{place}: {message}"))?;
            if figures.iter().any(|other| other.figure == figure.figure) {
                return Err(format!("{place}: stands there twice"));
            }
            figures.push(figure);
        }
        Ok(Run {
            source_id: head.id.into(),
            id,
            title: self.title,
            cp_level: self.cp_level,
            tables: self.tables,
            publication: self.publication,
            settings: self.settings,
            date: self.date,
            assumption: self.assumption,
            caution: self.caution,
            scenario,
            figures,
        })
    }
}

impl FigureText {
    fn read(self, head: &Head, run: &str) -> Result<PublishedFigure, String> {
        let figure = figure_of(&self.figure)?;
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
        let not_one = || format!("\"{}\" is not a number", self.published);
        number(&self.published).ok_or_else(not_one)?;
        // The decimal point moves in the text, so that no digit is lost.
        let value = number(&format!("{}e{}", self.published, self.decimal_shift)).ok_or_else(not_one)?;
        if value < 0.0 {
            return Err(format!("\"{}\" given; no figure is below 0", self.published));
        }
        let tolerance = match (self.tolerance_percent, self.tolerance) {
            (Some(percent), None) => Some(Tolerance::Percent(percent)),
            (None, Some(most)) => Some(Tolerance::Absolute(most)),
            (None, None) => None,
            (Some(_), Some(_)) => return Err("a figure has one tolerance, in percent or in its unit".into()),
        };
        match (self.kind, tolerance, &self.reason, &self.known_difference) {
            (Kind::NotValidated, None, Some(_), None) => {}
            (Kind::NotValidated, ..) => {
                return Err("a figure that is not validated has a reason, and nothing to judge it by".into());
            }
            (_, Some(Tolerance::Percent(most) | Tolerance::Absolute(most)), None, _) if most.is_finite() && most > 0.0 => {}
            _ => return Err("a figure that is judged has a tolerance above 0, and no reason not to be".into()),
        }
        if value == 0.0 && matches!(tolerance, Some(Tolerance::Percent(_))) {
            return Err(format!("\"{}\" given; a tolerance in percent needs a figure above 0", self.published));
        }
        let derived = self.derived.as_ref().map(|how| format!("; derived: {how}")).unwrap_or_default();
        Ok(PublishedFigure {
            figure,
            shown: if self.decimal_shift == 0 { self.published.clone() } else { value.to_string() },
            printed: self.published,
            value,
            source: format!("{}, {}, run {run}{derived}", head.title, self.table),
            table: self.table,
            derived: self.derived,
            kind: self.kind,
            tolerance,
            reason: self.reason,
            known_difference: self.known_difference,
        })
    }
}

impl RatioText {
    fn read(self, head: &Head, runs: &[Run]) -> Result<Ratio, String> {
        let place = format!("{} from {} to {}", self.figure, self.from, self.to);
        let wrong = |message: String| format!("{place}: {message}");
        let figure = figure_of(&self.figure).map_err(wrong)?;
        let figures = [&self.from, &self.to].map(|id| among(runs, id).map(|run| run.figure(figure).map(|it| it.kind)));
        let kinds = figures.into_iter().collect::<Result<Vec<Option<Kind>>, String>>().map_err(wrong)?;
        let fitted = kinds.iter().all(|kind| *kind == Some(Kind::Fitted));
        let wanted = if fitted { Kind::Fitted } else { Kind::Predicted };
        if self.kind == Kind::NotValidated && self.note.is_none() {
            return Err(wrong("what is not judged needs a note that says why".into()));
        }
        // Where only the change is printed, the data say themselves whether it was fitted.
        let is_free = kinds.iter().all(Option::is_none);
        if self.kind != Kind::NotValidated && self.kind != wanted && !is_free {
            return Err(wrong(format!("its kind is {}, as its two figures have it", wanted.as_str())));
        }
        let (least, most) = match self.percent[..] {
            [one] => (one, one),
            [least, most] if least.abs() < most.abs() => (least, most),
            _ => return Err(wrong("one number is wanted, or the two ends of a range, the one nearer to 0 first".into())),
        };
        if !(least * most > 0.0 && most.is_finite()) {
            return Err(wrong("a change is judged by its sign, which it must have".into()));
        }
        Ok(Ratio {
            source_id: head.id.into(),
            figure,
            source: format!("{}, {}", head.title, self.table),
            from: self.from,
            to: self.to,
            printed: self.published,
            least_percent: least,
            most_percent: most,
            kind: self.kind,
            within_points: self.within_points,
            known_difference: self.known_difference,
            note: self.note,
        })
    }
}

impl OrderText {
    /// An order for each of the runs that have more.
    fn read(self, head: &Head, runs: &[Run]) -> Result<Vec<Order>, String> {
        let wrong = |message: String| format!("{} of {}: {message}", self.figure, self.less);
        let figure = figure_of(&self.figure).map_err(wrong)?;
        among(runs, &self.less).map_err(wrong)?;
        if self.than.is_empty() {
            return Err(wrong("an order is one of at least two runs".into()));
        }
        match (self.kind, &self.known_difference, &self.note) {
            (Kind::Fitted, _, None) => return Err(wrong("what is fitted needs a note that says to what".into())),
            (Kind::NotValidated, None, Some(_)) | (Kind::Predicted | Kind::Fitted, ..) => {}
            _ => return Err(wrong("what is not judged needs a note that says why, and nothing else".into())),
        }
        let bad = |percent: f64| !percent.is_finite() || percent <= 0.0;
        if self.more_by.is_some_and(bad) {
            return Err(wrong("what is more is so by a percentage above 0".into()));
        }
        if self.same_within.is_some_and(|percent| self.substantial || self.more_by.is_some() || bad(percent)) {
            return Err(wrong("what is the same is so within a percentage above 0, and no difference is large".into()));
        }
        let order = |more: &String| {
            among(runs, more).map_err(wrong)?;
            if *more == self.less {
                return Err(wrong("a run cannot have less than itself".into()));
            }
            Ok(Order {
                source_id: head.id.into(),
                figure,
                less: self.less.clone(),
                more: more.clone(),
                printed: self.published.clone(),
                substantial: self.substantial,
                more_by: self.more_by,
                same_within: self.same_within,
                kind: self.kind,
                known_difference: self.known_difference.clone(),
                note: self.note.clone(),
                source: format!("{}, {}", head.title, self.table),
            })
        };
        self.than.iter().map(order).collect()
    }
}

fn figure_of(id: &str) -> Result<Figure, String> {
    Figure::from_id(id).ok_or_else(|| "there is no such figure".into())
}
