//! The picture of the machine, as data: the host as a system programmer draws it on a whiteboard, from the guests to the
//! volumes. It is made from a snapshot alone. The page paints it and moves its dots; [`svg`] writes it as a file.

mod area;
pub mod build;
mod connections;
mod contiguous;
mod control_unit;
mod course;
mod dot;
mod expanded;
mod fit;
mod frames;
mod guests;
pub mod key;
mod lanes;
mod layout;
mod members;
mod miniature;
mod processors;
mod ptil;
mod rates;
mod searches;
mod shown;
mod slices;
mod storage;
pub mod svg;
mod text;
pub mod walk;
pub mod words;

#[cfg(test)]
mod tests;

use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab::snapshot::Snapshot;

use crate::room::Room;
use crate::subjects::{self, Subject};
pub use course::Course;
pub use dot::{Dot, DotForm, DotKind};
pub use fit::{Fit, View};
pub use miniature::miniature;
pub use rates::Rates;
pub use shown::{Frame, watched_at};

/// A point of the picture, in CSS pixels.
pub type Point = (f64, f64);

/// The picture of a host at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// The instant that it shows, in simulated nanoseconds.
    pub now_ns: u64,
    /// Headings and frames around the parts.
    pub ground: Vec<Mark>,
    /// What a reader can point at, along the flow: guests, processors, frames, control unit; or members and links.
    pub parts: Vec<Part>,
    /// The I/Os and the messages, each once.
    pub dots: Vec<Dot>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A guest.
    Guest,
    /// A logical processor.
    Processor,
    /// Central storage.
    Frames,
    /// Expanded storage.
    Expanded,
    /// CP's queue of I/Os that wait for an exposure.
    Queue,
    /// The pool of HyperPAV aliases.
    Aliases,
    /// A volume with its queue and its exposures.
    Volume,
    /// A channel path.
    Path,
    /// A list of the scheduler.
    List,
    /// A barrier of STORBUF.
    Barrier,
    /// Connections whose users think, or that are at work in a client or a server.
    Connections,
    /// Connections that wait for a virtual CPU of their client.
    ClientLine,
    /// Connections that wait for a virtual CPU of their server.
    ServerLine,
    /// The page table lock of a guest.
    Ptil,
    /// A physical processor that PR/SM shares.
    Physical,
    /// A member of a cluster.
    Member,
    /// The storage of a guest that is being relocated, at the member where it does not run.
    Copy,
    /// The logical link between two members.
    Link,
    /// A chpid of a link.
    Chpid,
    /// The buffers of a link.
    Buffers,
    /// A relocation with its passes.
    Relocation,
}

/// A form of the picture. All have one grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The whole host, from guests to volumes.
    #[default]
    Pipeline,
    /// Who may run and who runs: lists, processors, PR/SM.
    Lanes,
    /// The members of a cluster, the link between them, and the relocations.
    Members,
}

impl Form {
    /// The form that shows what a subject is about.
    pub fn of(subject: &Subject) -> Form {
        match subject.part {
            subjects::Part::Processors => Form::Lanes,
            subjects::Part::Storage => Form::Pipeline,
            subjects::Part::Relocation | subjects::Part::Whole => Form::Members,
        }
    }
}

impl Kind {
    /// The parts that show a resource; none if the picture has no part for it.
    pub const fn of(resource: ResourceKind) -> Option<Kind> {
        match resource {
            ResourceKind::Paths => Some(Kind::Path),
            ResourceKind::Aliases => Some(Kind::Aliases),
            ResourceKind::PageVolumes | ResourceKind::MinidiskVolumes => Some(Kind::Volume),
            ResourceKind::Frames | ResourceKind::FramesBelow => Some(Kind::Frames),
            ResourceKind::Processors | ResourceKind::Vectors | ResourceKind::CpLock => Some(Kind::Processor),
            ResourceKind::PhysicalProcessors | ResourceKind::Cap => Some(Kind::Physical),
            ResourceKind::GuestLocks | ResourceKind::VirtualCpus | ResourceKind::ClientCpus | ResourceKind::ServerCpus => {
                Some(Kind::Guest)
            }
            ResourceKind::Ptil => Some(Kind::Ptil),
            ResourceKind::Storbuf => Some(Kind::Barrier),
            ResourceKind::MaximumShares => Some(Kind::List),
            ResourceKind::Link | ResourceKind::Ctcs => Some(Kind::Chpid),
            ResourceKind::Buffers => Some(Kind::Buffers),
            ResourceKind::Source
            | ResourceKind::Destination
            | ResourceKind::Reads
            | ResourceKind::EndToEnd
            | ResourceKind::Endpoint => Some(Kind::Member),
            ResourceKind::Stages => Some(Kind::Relocation),
            ResourceKind::VaryLock => None,
        }
    }

    /// Whether such a part shows a resource: what works, or the line before it.
    pub fn shows(self, resource: ResourceKind) -> bool {
        match (self, resource) {
            (Kind::ClientLine, ResourceKind::ClientCpus) | (Kind::ServerLine, ResourceKind::ServerCpus) => true,
            _ => Kind::of(resource) == Some(self),
        }
    }

    /// Its word in ids.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Guest => "guest",
            Kind::Processor => "processor",
            Kind::Frames => "frames",
            Kind::Expanded => "expanded",
            Kind::Queue => "queue",
            Kind::Aliases => "aliases",
            Kind::Volume => "volume",
            Kind::Path => "path",
            Kind::List => "list",
            Kind::Barrier => "barrier",
            Kind::Connections => "connections",
            Kind::ClientLine => "client-line",
            Kind::ServerLine => "server-line",
            Kind::Ptil => "ptil",
            Kind::Physical => "physical",
            Kind::Member => "member",
            Kind::Copy => "copy",
            Kind::Link => "link",
            Kind::Chpid => "chpid",
            Kind::Buffers => "buffers",
            Kind::Relocation => "relocation",
        }
    }

    /// The room that shows more of it.
    pub const fn room(self) -> Room {
        match self {
            Kind::Guest | Kind::Connections | Kind::ClientLine | Kind::ServerLine => Room::Overview,
            Kind::Processor => Room::Processors,
            Kind::Frames | Kind::Expanded => Room::Storage,
            Kind::Queue | Kind::Aliases | Kind::Path => Room::ControlUnit,
            Kind::Volume => Room::Paging,
            Kind::List | Kind::Barrier => Room::Scheduler,
            Kind::Ptil => Room::Locks,
            Kind::Physical => Room::Prsm,
            Kind::Member => Room::Cluster,
            Kind::Copy | Kind::Relocation => Room::Relocation,
            Kind::Link | Kind::Chpid | Kind::Buffers => Room::Isfc,
        }
    }
}

/// A part of the machine that a reader can point at.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is, and its place among those of its kind.
    pub id: (Kind, usize),
    /// Its name: `PAGE01`.
    pub name: String,
    /// Its state in words: `93 % busy, 5 waiting`.
    pub state: String,
    /// The room that shows more of it.
    pub room: Room,
    /// Left, top, width, height.
    pub place: (f64, f64, f64, f64),
    /// Whether it limits the run.
    pub limits: bool,
    /// How it is drawn.
    pub marks: Vec<Mark>,
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its form.
    pub shape: Shape,
    /// What its colour means.
    pub tone: Tone,
}

/// A form.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Left, top, width, height, radius of the corners.
    Box(f64, f64, f64, f64, f64),
    /// Boxes of one size: width, height, and the left top corner of each.
    Cells(f64, f64, Vec<Point>),
    /// Pieces of a strip: its top and height, and the left end and the width of each piece.
    Slices(f64, f64, Vec<(f64, f64)>),
    /// A line through points.
    Line(Vec<Point>),
    /// A drum: left, top, width, height.
    Drum(f64, f64, f64, f64),
    /// A text at a point.
    Text(Point, Align, Letters, String),
}

/// Where a text stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// A heading of a column.
    Heading,
    /// The name of a part.
    Name,
    /// Its state.
    Small,
}

/// What a colour means. It means the same everywhere in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// Text.
    Text,
    /// Text of less weight.
    Quiet,
    /// Text on a light colour.
    Ink,
    /// Text on a dark colour.
    Paper,
    /// The ground of a part.
    Surface,
    /// The border of a part.
    Border,
    /// Something empty or idle.
    Empty,
    /// A guest runs.
    Running,
    /// Ready, waiting for a processor.
    Ready,
    /// Waiting for a page.
    PageWait,
    /// Waiting for a frame.
    FrameWait,
    /// Waiting for an I/O to a minidisk.
    IoWait,
    /// Held in a list, by a limit or by CP.
    Held,
    /// CP's work.
    Cp,
    /// What another partition has.
    Other,
    /// Spinning for a lock.
    Spin,
    /// A valid page.
    Valid,
    /// A page on the age list.
    AgeList,
    /// A page that is being read.
    Reading,
    /// The minidisk cache.
    Cache,
    /// The base of a volume, and its I/O.
    Base,
    /// An alias, and its I/O.
    Alias,
    /// An I/O that waits.
    Queued,
    /// How busy something is.
    Busy,
    /// A border of what limits the run.
    Limit,
    /// Storage of a guest that has been sent, and a pass that is over.
    Sent,
    /// Storage that has changed since it was sent, and a guest that is stopped.
    Changed,
    /// Storage that arrived in this pass, and a pass that is under way.
    Arriving,
}

impl Mark {
    fn new(shape: Shape, tone: Tone) -> Mark {
        Mark { shape, tone }
    }

    fn text(at: Point, align: Align, letters: Letters, tone: Tone, text: impl Into<String>) -> Mark {
        Mark::new(Shape::Text(at, align, letters, text.into()), tone)
    }
}

/// The picture of `snapshot` in a form, as wide as `width` CSS pixels, with the rates of the time before it. The parts of the
/// kind `limits` glow.
pub fn scene(
    form: Form,
    scenario: &Scenario,
    snapshot: &Snapshot,
    rates: &Rates,
    limits: Option<ResourceKind>,
    width: f64,
) -> Scene {
    View { form, scenario, snapshot, rates, limits }.scene(width)
}
